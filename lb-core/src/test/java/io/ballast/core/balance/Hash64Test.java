package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.testing.ChiSquare;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Hash64Test {

    @Test
    void everyInputBitFlipsEveryOutputBitHalfTheTime() {
        int samples = 4000;
        SplittableRandom random = new SplittableRandom(17);
        int[][] moved = new int[64][64];
        for (int sample = 0; sample < samples; sample++) {
            long input = random.nextLong();
            long hash = Hash64.mix(input);
            for (int in = 0; in < 64; in++) {
                long difference = hash ^ Hash64.mix(input ^ (1L << in));
                for (int out = 0; out < 64; out++) {
                    moved[in][out] += (int) (difference >>> out & 1);
                }
            }
        }

        for (int[] byOutput : moved) {
            for (int count : byOutput) {
                // The tolerance is five standard deviations of sqrt(4000) / 2, because 4096 pairs of bits are tested.
                assertThat(count).isBetween(samples / 2 - 158, samples / 2 + 158);
            }
        }
    }

    @Test
    void sequentialNumbersSpreadEvenly() {
        long[] upper = new long[256];
        long[] lower = new long[256];
        for (long i = 0; i < 100_000; i++) {
            long hash = Hash64.mix(i);
            upper[(int) (hash >>> 56)]++;
            lower[(int) hash & 0xFF]++;
        }

        ChiSquare.assertFits(upper, ChiSquare.equal(256));
        ChiSquare.assertFits(lower, ChiSquare.equal(256));
    }

    @Test
    void similarTextsSpreadEvenly() {
        long[] counts = new long[256];
        for (int i = 0; i < 50_000; i++) {
            counts[(int) (Hash64.of("10.0." + i / 256 + "." + i % 256 + ":8080") >>> 56)]++;
        }

        ChiSquare.assertFits(counts, ChiSquare.equal(256));
    }

    @Test
    void similarBytesSpreadEvenly() {
        long[] counts = new long[256];
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = ("x-session-" + i).getBytes(StandardCharsets.US_ASCII);
            counts[(int) (Hash64.of(bytes, 2, bytes.length) >>> 56)]++;
        }

        ChiSquare.assertFits(counts, ChiSquare.equal(256));
    }

    @Test
    void onlyBytesInRangeAffectHash() {
        byte[] one = "..0123456789abcdef0..".getBytes(StandardCharsets.US_ASCII);
        byte[] other = "_____0123456789abcdef0".getBytes(StandardCharsets.US_ASCII);

        assertThat(Hash64.of(one, 2, 19)).isEqualTo(Hash64.of(other, 5, 22));
        Set<Long> hashes = new HashSet<>();
        for (int from = 2; from < 19; from++) {
            for (int to = from + 1; to <= 19; to++) {
                hashes.add(Hash64.of(one, from, to));
            }
        }
        // There are 153 ranges. Two of them have the same content: the range of the first byte and the range of the
        // last byte.
        assertThat(hashes).hasSize(152);
    }

    @Test
    void orderOfNumbersAffectsHash() {
        assertThat(Hash64.mix(1, 2)).isNotEqualTo(Hash64.mix(2, 1));
        assertThat(Hash64.mix(0, 1)).isNotEqualTo(Hash64.mix(1, 0)).isNotEqualTo(Hash64.mix(1));
    }

    @Test
    void lengthAffectsHash() {
        assertThat(Hash64.of("")).isNotEqualTo(Hash64.of("\0"));
        assertThat(Hash64.of("ab")).isNotEqualTo(Hash64.of("ba"));
    }

    /** If the hashes changed between releases, all clients would move to other backends. */
    @Test
    void hashesNeverChange() {
        assertThat(Hash64.mix(1)).isEqualTo(0x5692161D100B05E5L);
        assertThat(Hash64.mix(1, 2)).isEqualTo(0x081A5C1377856B73L);
        assertThat(Hash64.of("10.0.0.1:8080")).isEqualTo(0xA3D1A13E6DC461D9L);
        assertThat(Affinity.DEFAULT.ofIpv4(0x0A000001)).isEqualTo(0xD3F09A8BD84D86EEL);
        assertThat(Affinity.DEFAULT.ofIpv6(0x20010DB8_00000000L, 1)).isEqualTo(0x187202169CA022C5L);
    }
}
