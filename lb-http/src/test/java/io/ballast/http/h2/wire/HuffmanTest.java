package io.ballast.http.h2.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HuffmanTest {

    private static final int[] CODES = HuffmanCode.codes();

    @Test
    void roundTripsEveryPairOfBytes() {
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                byte[] text = {(byte) first, (byte) second};
                assertThat(decode(encode(text))).isEqualTo(text);
            }
        }
    }

    @Test
    void roundTripsLongTexts() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 500; round++) {
            byte[] text = new byte[random.nextInt(300)];
            random.nextBytes(text);
            assertThat(decode(encode(text))).isEqualTo(text);
        }
    }

    @Test
    void encodesEmptyText() {
        assertThat(decode(new byte[0])).isEmpty();
    }

    @Test
    void paddingMustBeOnes() {
        assertThat(decode(bits("00011" + "111"))).isEqualTo(new byte[] {'a'});
        for (String padding : new String[] {"000", "110", "011", "101"}) {
            assertThat(decode(bits("00011" + padding))).as(padding).isNull();
        }
    }

    @Test
    void paddingIsShorterThanByte() {
        assertThat(decode(bits("1".repeat(8)))).isNull();
        assertThat(decode(bits("00011" + "1".repeat(11)))).isNull();
        assertThat(decode(bits("00011" + "1".repeat(19)))).isNull();
    }

    @Test
    void rejectsEndOfString() {
        assertThat(decode(bits("1".repeat(32)))).isNull();
        assertThat(decode(bits("00011" + "1".repeat(30) + "00011"))).isNull();
        assertThat(decode(bits("00011" + "1".repeat(30) + "00011" + "00011" + "111")))
                .isNull();
    }

    /** No code is a prefix of another code, and all codes together with EOS fill the code space. */
    @Test
    void codeIsComplete() {
        double space = 1.0 / (1L << 30);
        for (byte length : HuffmanCode.LENGTHS) {
            space += 1.0 / (1L << length);
        }
        assertThat(space).isEqualTo(1.0);
        assertThat(Arrays.stream(CODES).filter(code -> code < 0)).isEmpty();
    }

    private static byte[] encode(byte[] text) {
        StringBuilder bits = new StringBuilder();
        for (byte b : text) {
            for (int bit = HuffmanCode.LENGTHS[b & 0xff] - 1; bit >= 0; bit--) {
                bits.append(CODES[b & 0xff] >>> bit & 1);
            }
        }
        bits.append("1".repeat(-bits.length() & 7));
        return bits(bits.toString());
    }

    private static byte[] bits(String bits) {
        byte[] bytes = new byte[bits.length() / 8];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(bits.substring(8 * i, 8 * i + 8), 2);
        }
        return bytes;
    }

    /** Returns null for an invalid code. */
    private static byte @org.jspecify.annotations.Nullable [] decode(byte[] code) {
        byte[] target = new byte[code.length * HuffmanDecoder.MAX_EXPANSION];
        int length = HuffmanDecoder.decode(code, 0, code.length, target);
        return length < 0 ? null : Arrays.copyOf(target, length);
    }
}
