package io.ballast.policy.basic;

import io.ballast.policy.identity.KnownIdentity;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that were verified recently, by their digests. The table has sets of {@value #WAYS} entries; a new entry
 * replaces the entry of its set that expires first.
 *
 * <p>Thread safety: all methods may be called concurrently; they do not block. {@link #find} allocates nothing.
 */
final class VerifiedCredentials {

    /** The maximum number of entries. */
    static final int MAX_ENTRIES = 16_384;

    private static final int WAYS = 4;

    private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(MAX_ENTRIES);
    private final long lifetimeNanos;

    private record Entry(CredentialsDigest digest, KnownIdentity identity, long verifiedAt) {}

    /** @param lifetimeNanos how long an entry is valid, in nanoseconds */
    VerifiedCredentials(long lifetimeNanos) {
        this.lifetimeNanos = lifetimeNanos;
    }

    /**
     * Returns the identity of credentials; null if they were not verified recently.
     *
     * @param high the first half of the digest
     * @param low its second half
     * @param now the current time; see {@link System#nanoTime}
     */
    @Nullable KnownIdentity find(long high, long low, long now) {
        int first = set(low);
        for (int i = first; i < first + WAYS; i++) {
            Entry entry = entries.get(i);
            if (entry != null && entry.digest().high() == high && entry.digest().low() == low) {
                return now - entry.verifiedAt() < lifetimeNanos ? entry.identity() : null;
            }
        }
        return null;
    }

    void add(CredentialsDigest digest, KnownIdentity identity, long now) {
        entries.set(replaced(digest), new Entry(digest, identity, now));
    }

    /**
     * Returns the index of the entry with the same credentials, of an empty entry, or of the oldest entry of the set.
     */
    private int replaced(CredentialsDigest digest) {
        int first = set(digest.low());
        int oldest = first;
        for (int i = first; i < first + WAYS; i++) {
            Entry entry = entries.get(i);
            if (entry != null && entry.digest().equals(digest)) {
                return i;
            }
            Entry before = entries.get(oldest);
            if (before != null && (entry == null || entry.verifiedAt() - before.verifiedAt() < 0)) {
                oldest = i;
            }
        }
        return oldest;
    }

    private static int set(long low) {
        return (int) (low & (MAX_ENTRIES - 1)) & -WAYS;
    }
}
