package io.ballast.http.h2.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HeaderBlockTest {

    private final HeaderBlock block = new HeaderBlock();

    @Test
    void roundTripsEveryStatus() {
        for (int status = 100; status < 1000; status++) {
            block.clear();
            block.status(status);
            assertThat(decode()).containsExactly(":status: " + status);
        }
    }

    @Test
    void findsStaticNamesInAnyCase() {
        for (int i = 1; i <= StaticTable.LENGTH; i++) {
            byte[] name = StaticTable.name(i);
            byte[] upper = new String(name, StandardCharsets.US_ASCII)
                    .toUpperCase(java.util.Locale.ROOT)
                    .getBytes(StandardCharsets.US_ASCII);
            assertThat(StaticTable.name(StaticTable.indexOf(upper, 0, upper.length)))
                    .isEqualTo(name);
        }
    }

    @Test
    void roundTripsFieldsWithLowerCaseNames() {
        SplittableRandom random = new SplittableRandom(5);
        List<String> names = List.of("X-A", "Content-Type", "Set-Cookie", "Location", "via", "Server", "y".repeat(300));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String name = names.get(random.nextInt(names.size()));
            String value = "v".repeat(random.nextInt(random.nextInt(10) == 0 ? 20_000 : 200));
            byte[] bytes = ("?" + name + value + "?").getBytes(StandardCharsets.US_ASCII);
            int nameEnd = 1 + name.length();
            block.field(bytes, 1, nameEnd, bytes, nameEnd, bytes.length - 1);
            expected.add(name.toLowerCase(java.util.Locale.ROOT) + ": " + value);
        }
        assertThat(decode()).isEqualTo(expected);
    }

    @Test
    void sensitiveFieldsAreNeverIndexed() {
        byte[] field = "set-cookiev".getBytes(StandardCharsets.US_ASCII);
        block.field(field, 0, 10, field, 10, 11);
        assertThat(block.bytes()[0] & 0xf0).isEqualTo(0x10);
    }

    private List<String> decode() {
        List<String> fields = new ArrayList<>();
        assertThat(DecodedFields.decode(new HpackDecoder(), Arrays.copyOf(block.bytes(), block.length()), fields))
                .isTrue();
        return fields;
    }
}
