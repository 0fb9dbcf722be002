package io.ballast.http.h2.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HpackFaultsTest {

    private final DecodedFields decoded = new DecodedFields();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80", // index 0
                "be", // first entry of an empty table
                "ff ff ff ff 7f", // far beyond the table
                "ff 80 80 80 80 80 80 80 80 80 01", // number too large
                "ff ff ff ff ff ff ff ff ff ff 7f",
                "ff", // incomplete number
                "ff 80",
                "7e 01 61", // name of a missing entry
                "0f 2f 01 61",
                "00", // no name
                "00 01", // name shorter than its length
                "00 01 61", // no value
                "00 01 61 05 61 62",
                "00 7f ff ff ff ff 07 61 00",
                "00 ff ff ff ff ff 7f 61 00",
                "04", // no value for an indexed name
                "00 81 ff 00", // padding of a whole byte
                "00 81 18 00", // padding that is not all ones
                "00 84 ff ff ff ff 00", // EOS code
                "3f e2 1f", // table size over the limit
                "3f ff ff ff ff 0f",
                "3f",
                "82 20", // size update after a field
                "20 20 20", // too many size updates
            })
    void rejectsMalformedBlock(String hex) {
        assertThat(decoded.accepts(hex)).isFalse();
    }

    @Test
    void allowsTwoSizeUpdates() {
        assertThat(decoded.of("20 3f e1 1f 82")).containsExactly(":method: GET");
        assertThat(decoded.of("20 82")).containsExactly(":method: GET");
    }

    @Test
    void zeroSizeEmptiesTable() {
        decoded.of("40 01 61 01 62");
        assertThat(decoded.of("be")).containsExactly("a: b");
        assertThat(decoded.accepts("20 be")).isFalse();
    }

    @Test
    void tooLargeEntryEmptiesTable() {
        decoded.of("40 01 61 01 62");
        assertThat(decoded.of("40 01 61 7f e1 1e" + "78".repeat(4064))).hasSize(1);
        assertThat(decoded.accepts("be")).isFalse();
    }

    @Test
    void nameMayReferToEvictedEntry() {
        decoded.of("3f 03"); // room for 34 bytes: one entry with one-byte name and value
        decoded.of("40 01 61 01 62");
        assertThat(decoded.of("7e 01 63")).containsExactly("a: c");
        assertThat(decoded.of("be")).containsExactly("a: c");
    }

    @Test
    void acceptsEmptyBlock() {
        assertThat(decoded.of("")).isEmpty();
    }

    @Test
    void decodesOrRejectsRandomBytes() {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 20_000; round++) {
            HpackDecoder decoder = new HpackDecoder();
            for (int block = 0; block < 3; block++) {
                byte[] bytes = new byte[random.nextInt(40)];
                random.nextBytes(bytes);
                DecodedFields.decode(decoder, bytes, new ArrayList<>()); // must not throw
            }
        }
    }
}
