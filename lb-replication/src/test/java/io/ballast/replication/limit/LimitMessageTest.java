package io.ballast.replication.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.replication.limit.LimitMessage.Entry;
import io.ballast.replication.limit.LimitMessage.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitMessageTest {

    private static final LimitMessage MESSAGE = new LimitMessage(
            7,
            6,
            Map.of(
                    1L,
                    new Part(
                            List.of(new Entry(10, 0.5f, new float[] {1, 2})),
                            List.of(new Entry(11, 0.25f, new float[] {0, 0.5f}))),
                    2L,
                    new Part(List.of(), List.of())));

    @Test
    void messageIsReadBack() throws IOException {
        LimitMessage read = LimitMessage.decode(MESSAGE.encode());

        assertThat(read).usingRecursiveComparison().isEqualTo(MESSAGE);
    }

    @Test
    void malformedMessagesAreRefused() {
        byte[] valid = MESSAGE.encode();
        for (int length = 0; length < valid.length; length++) {
            byte[] cut = Arrays.copyOf(valid, length);
            assertThatThrownBy(() -> LimitMessage.decode(cut)).isInstanceOf(IOException.class);
        }
        assertRefused(new Entry(1, 2, new float[] {0}));
        assertRefused(new Entry(1, Float.NaN, new float[] {0}));
        assertRefused(new Entry(1, 0.5f, new float[] {-1}));
        assertRefused(new Entry(1, 0.5f, new float[] {Float.NaN}));
        byte[] otherVersion = valid.clone();
        otherVersion[0]++;
        assertThatThrownBy(() -> LimitMessage.decode(otherVersion)).hasMessageContaining("version 2");
    }

    private static void assertRefused(Entry entry) {
        byte[] message = new LimitMessage(1, 1, Map.of(1L, new Part(List.of(entry), List.of()))).encode();
        assertThatThrownBy(() -> LimitMessage.decode(message)).isInstanceOf(IOException.class);
    }

    @Test
    void hashesDependOnTheKeyAndTheLimit() {
        LimitHashes hashes = hashes("edge");
        byte[] client = {10, 0, 0, 1};

        assertThat(hashes.id("a")).isEqualTo(hashes("edge").id("a")).isNotEqualTo(hashes.id("b"));
        assertThat(hashes.id("a")).isNotEqualTo(hashes("other").id("a"));
        assertThat(hashes.keyHash("a").of(client, 0, 4))
                .isEqualTo(hashes("edge").keyHash("a").of(client, 0, 4))
                .isNotEqualTo(hashes.keyHash("b").of(client, 0, 4))
                .isNotEqualTo(hashes("other").keyHash("a").of(client, 0, 4));
    }

    private static LimitHashes hashes(String key) {
        return new LimitHashes(key.getBytes(StandardCharsets.UTF_8));
    }
}
