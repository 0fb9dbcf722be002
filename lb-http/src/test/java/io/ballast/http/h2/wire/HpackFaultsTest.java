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
                "be", // the first entry of an empty table
                "ff ff ff ff 7f", // far behind the table
                "ff 80 80 80 80 80 80 80 80 80 01", // more than any number may be
                "ff ff ff ff ff ff ff ff ff ff 7f",
                "ff", // a number without its end
                "ff 80",
                "7e 01 61", // the name of no entry
                "0f 2f 01 61",
                "00", // no name
                "00 01", // a name that ends before its length
                "00 01 61", // no value
                "00 01 61 05 61 62",
                "00 7f ff ff ff ff 07 61 00",
                "00 ff ff ff ff ff 7f 61 00",
                "04", // no value for a name that is known
                "00 81 ff 00", // padding of a whole octet
                "00 81 18 00", // padding that is not all ones
                "00 84 ff ff ff ff 00", // the end of a string
                "3f e2 1f", // a table larger than allowed
                "3f ff ff ff ff 0f",
                "3f",
                "82 20", // the size changes behind a field
                "20 20 20", // more changes than make sense
            })
    void badBlockIsRejected(String hex) {
        assertThat(decoded.accepts(hex)).isFalse();
    }

    @Test
    void sizeMayChangeTwiceBeforeTheFields() {
        assertThat(decoded.of("20 3f e1 1f 82")).containsExactly(":method: GET");
        assertThat(decoded.of("20 82")).containsExactly(":method: GET");
    }

    @Test
    void sizeOfZeroEmptiesTheTable() {
        decoded.of("40 01 61 01 62");
        assertThat(decoded.of("be")).containsExactly("a: b");
        assertThat(decoded.accepts("20 be")).isFalse();
    }

    @Test
    void entryThatIsTooLargeEmptiesTheTable() {
        decoded.of("40 01 61 01 62");
        assertThat(decoded.of("40 01 61 7f e1 1e" + "78".repeat(4064))).hasSize(1);
        assertThat(decoded.accepts("be")).isFalse();
    }

    @Test
    void nameMayBeThatOfTheEntryWhichIsEvictedForIt() {
        decoded.of("3f 03"); // room for 34 octets: one entry of one and one
        decoded.of("40 01 61 01 62");
        assertThat(decoded.of("7e 01 63")).containsExactly("a: c");
        assertThat(decoded.of("be")).containsExactly("a: c");
    }

    @Test
    void nothingIsNoFault() {
        assertThat(decoded.of("")).isEmpty();
    }

    @Test
    void anyOctetsAreDecodedOrRejected() {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 20_000; round++) {
            HpackDecoder decoder = new HpackDecoder();
            for (int block = 0; block < 3; block++) {
                byte[] octets = new byte[random.nextInt(40)];
                random.nextBytes(octets);
                DecodedFields.decode(decoder, octets, new ArrayList<>()); // whatever it says, without an exception
            }
        }
    }
}
