package io.ballast.http.h2.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares the table with a plain list. */
class DynamicTableTest {

    private final Deque<String> model = new ArrayDeque<>();
    private int capacity = HpackDecoder.TABLE_BYTES;
    private final DynamicTable table = new DynamicTable(capacity);

    @Test
    void matchesReferenceTable() {
        SplittableRandom random = new SplittableRandom(3);
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(50) == 0) {
                capacity = random.nextInt(3) == 0 ? random.nextInt(200) : random.nextInt(HpackDecoder.TABLE_BYTES + 1);
                table.resize(capacity);
                evict(0);
            } else {
                add("n".repeat(length(random)), String.valueOf(step) + "v".repeat(length(random)));
            }
            assertThat(size()).isLessThanOrEqualTo(capacity);
            assertThat(entries()).isEqualTo(List.copyOf(model));
        }
    }

    private static int length(SplittableRandom random) {
        return switch (random.nextInt(20)) {
            case 0 -> random.nextInt(5000);
            case 1, 2 -> random.nextInt(500);
            default -> random.nextInt(12);
        };
    }

    private void add(String name, String value) {
        byte[] names = ("??" + name).getBytes(StandardCharsets.ISO_8859_1);
        byte[] values = ("?" + value).getBytes(StandardCharsets.ISO_8859_1);
        table.add(names, 2, name.length(), values, 1, value.length());
        int bytes = name.length() + value.length() + 32;
        if (bytes > capacity) {
            model.clear();
        } else {
            evict(bytes);
            model.addFirst(name + "=" + value);
        }
    }

    private void evict(int bytes) {
        while (!model.isEmpty() && size() + bytes > capacity) {
            model.removeLast();
        }
    }

    private int size() {
        return model.stream().mapToInt(entry -> entry.length() - 1 + 32).sum();
    }

    private List<String> entries() {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < table.count(); i++) {
            String field = new String(table.field(i), StandardCharsets.ISO_8859_1);
            entries.add(field.substring(0, table.nameLength(i)) + "=" + field.substring(table.nameLength(i)));
        }
        return entries;
    }
}
