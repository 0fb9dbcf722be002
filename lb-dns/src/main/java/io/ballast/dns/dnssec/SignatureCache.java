package io.ballast.dns.dnssec;

import io.ballast.core.Checks;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set-associative cache of signatures made on demand, with {@value #WAYS} ways per set, indexed by the
 * name's keyed hash. A new entry replaces the oldest entry of its set.
 *
 * <p>Thread safety: confined to one thread. Cost: at most {@value #WAYS} comparisons; its size is fixed.
 */
final class SignatureCache {

    private static final int WAYS = 4;

    @SuppressWarnings("ArrayRecordComponent") // entries are never compared with equals
    private record Entry(
            long hash, byte[] name, Object subject, SignedZone zone, long untilSeconds, SignedRecords records) {}

    private final @Nullable Entry[] entries;
    private final byte[] nextWay;
    private final int setMask;

    /** @param size number of entries; a power of two, {@value #WAYS} or more */
    SignatureCache(int size) {
        Checks.that(size >= WAYS && Integer.bitCount(size) == 1, "size", size, "a power of two from " + WAYS);
        this.entries = new Entry[size];
        this.nextWay = new byte[size / WAYS];
        this.setMask = size / WAYS - 1;
    }

    /**
     * Returns the signature for a subject and name; null if it is not cached or has expired.
     *
     * @param hash hash of the name, with a key that clients do not know
     * @param subject the signed subject; compared by identity, like the zone
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
