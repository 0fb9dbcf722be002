package io.ballast.policy.basic;

import io.ballast.core.hash.SipHash24;
import java.util.random.RandomGenerator;

/**
 * Identifies credentials in memory without storing them: two independent SipHash-2-4 values with random keys, together
 * 128 bits. Without the keys, a client cannot find other credentials with the same digest.
 */
record CredentialsDigest(long high, long low) {

    /** Computes digests with one key. Immutable; allocates nothing but the digest. */
    static final class Key {

        private final SipHash24 high;
        private final SipHash24 low;

        /** @param random a secure source */
        Key(RandomGenerator random) {
            this.high = new SipHash24(random.nextLong(), random.nextLong());
            this.low = new SipHash24(random.nextLong(), random.nextLong());
        }

        /** The first half of the digest of {@code bytes[from, to)}. */
        long high(byte[] bytes, int from, int to) {
            return high.of(bytes, from, to);
        }

        /** The second half of the digest of {@code bytes[from, to)}. */
        long low(byte[] bytes, int from, int to) {
            return low.of(bytes, from, to);
        }
    }
}
