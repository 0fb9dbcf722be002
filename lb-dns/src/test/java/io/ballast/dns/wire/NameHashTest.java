package io.ballast.dns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Compares the hash with an implementation of SipHash that follows the paper. That implementation is checked with the
 * paper's test vector.
 */
class NameHashTest {

    @Test
    void referenceMatchesPaper() {
        byte[] message = new byte[15];
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) i;
        }

        long hash = sipHash(2, 4, 0x0706050403020100L, 0x0f0e0d0c0b0a0908L, message);

        assertThat(hash).isEqualTo(0xa129ca6149be45e5L);
    }

    @Test
    void hashChainsParentAndLabel() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] label = new byte[Wire.MAX_LABEL_BYTES + NameHash.READ_AHEAD];
        for (int length = 1; length <= Wire.MAX_LABEL_BYTES; length++) {
            random.nextBytes(label);
            long k0 = random.nextLong();
            long k1 = random.nextLong();
            long above = random.nextLong();
            byte[] message = ByteBuffer.allocate(8 + length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(above)
                    .put(label, 0, length)
                    .array();

            long hash = new NameHash(k0, k1).hashBelow(above, label, 0, length);

            assertThat(hash).as("length %s", length).isEqualTo(sipHash(1, 3, k0, k1, message));
        }
    }

    @Test
    void ignoresBytesAfterLabel() {
        byte[] label = new byte[20];
        NameHash hash = NameHash.random();
        long first = hash.hashBelow(1, label, 0, 5);

        Arrays.fill(label, 5, 20, (byte) 7);

        assertThat(hash.hashBelow(1, label, 0, 5)).isEqualTo(first);
    }

    private static long sipHash(int perBlock, int atEnd, long k0, long k1, byte[] message) {
        long[] v = {
            k0 ^ 0x736f6d6570736575L, k1 ^ 0x646f72616e646f6dL, k0 ^ 0x6c7967656e657261L, k1 ^ 0x7465646279746573L
        };
        byte[] padded = Arrays.copyOf(message, message.length / 8 * 8 + 8);
        padded[padded.length - 1] = (byte) message.length;
        ByteBuffer words = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
        while (words.hasRemaining()) {
            long word = words.getLong();
            v[3] ^= word;
            rounds(v, perBlock);
            v[0] ^= word;
        }
        v[2] ^= 0xff;
        rounds(v, atEnd);
        return v[0] ^ v[1] ^ v[2] ^ v[3];
    }

    private static void rounds(long[] v, int count) {
        for (int i = 0; i < count; i++) {
            v[0] += v[1];
            v[1] = Long.rotateLeft(v[1], 13);
            v[1] ^= v[0];
            v[0] = Long.rotateLeft(v[0], 32);
            v[2] += v[3];
            v[3] = Long.rotateLeft(v[3], 16);
            v[3] ^= v[2];
            v[0] += v[3];
            v[3] = Long.rotateLeft(v[3], 21);
            v[3] ^= v[0];
            v[2] += v[1];
            v[1] = Long.rotateLeft(v[1], 17);
            v[1] ^= v[2];
            v[2] = Long.rotateLeft(v[2], 32);
        }
    }
}
