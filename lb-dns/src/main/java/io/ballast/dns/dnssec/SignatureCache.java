package io.ballast.dns.dnssec;

import io.ballast.core.Checks;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was signed for names that were asked. Sets of {@value #WAYS} places by the name's keyed hash; a new entry takes
 * the place of the one in its set that was put there first.
 *
 * <p>Thread safety: confined to one thread. Cost: at most {@value #WAYS} comparisons; its size is fixed.
 */
final class SignatureCache {

    private static final int WAYS = 4;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(
            long hash, byte[] name, Object subject, SignedZone zone, long untilSeconds, SignedRecords records) {}

    private final @Nullable Entry[] entries;
    private final byte[] nextWay;
    private final int setMask;

    /** @param size how many entries it holds; a power of two, {@value #WAYS} or more */
    SignatureCache(int size) {
        Checks.that(size >= WAYS && Integer.bitCount(size) == 1, "size", size, "a power of two from " + WAYS);
        this.entries = new Entry[size];
        this.nextWay = new byte[size / WAYS];
        this.setMask = size / WAYS - 1;
    }

    /**
     * What is kept about a subject under a name.
     *
     * @param hash of the name, by a key that clients do not know
     * @param subject compared by identity, as the zone is
     */
    @Nullable SignedRecords find(long hash, byte[] name, int length, Object subject, SignedZone zone, long nowSeconds) {
        int first = ((int) hash & setMask) * WAYS;
        for (int i = first; i < first + WAYS; i++) {
            Entry entry = entries[i];
            if (entry != null
                    && entry.hash == hash
                    && entry.subject == subject
                    && entry.zone == zone
                    && nowSeconds < entry.untilSeconds
                    && Arrays.equals(entry.name, 0, entry.name.length, name, 0, length)) {
                return entry.records;
            }
        }
        return null;
    }

    void put(
            long hash,
            byte[] name,
            int length,
            Object subject,
            SignedZone zone,
            long untilSeconds,
            SignedRecords records) {
        int set = (int) hash & setMask;
        entries[set * WAYS + nextWay[set]] =
                new Entry(hash, Arrays.copyOf(name, length), subject, zone, untilSeconds, records);
        nextWay[set] = (byte) ((nextWay[set] + 1) % WAYS);
    }
}
