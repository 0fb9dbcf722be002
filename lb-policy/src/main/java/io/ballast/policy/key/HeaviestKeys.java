package io.ballast.policy.key;

import io.ballast.http.policy.KeyUsage;
import io.ballast.policy.key.RefusedKeys.RefusedKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ranks the keys of a limit: first by refused requests, then by the part of the limit that they use. Stateless. */
public final class HeaviestKeys {

    private static final Comparator<KeyUsage> ORDER = Comparator.comparingLong(KeyUsage::refused)
            .thenComparingDouble(KeyUsage::share)
            .reversed();

    private HeaviestKeys() {}

    /** Reads how much of its limit a key uses. */
    @FunctionalInterface
    public interface UsageReader {

        /**
         * @param key the hash of the key
         * @param text see {@link KeyUsage#text}
         * @param refused see {@link KeyUsage#refused}
         */
        KeyUsage read(long key, Optional<String> text, long refused);
    }

    /**
     * Returns the heaviest keys.
     *
     * @param refused the keys with refused requests
     * @param busiest the hashes of the keys that use most of the limit; may contain keys of {@code refused}
     * @param mask the bits of a hash that the table of the limit contains
     * @param max the maximum number of keys
     */
    public static List<KeyUsage> rank(List<RefusedKey> refused, long[] busiest, long mask, UsageReader usage, int max) {
        Map<Long, KeyUsage> ranked = new LinkedHashMap<>();
        for (RefusedKey key : refused) {
            ranked.put(key.key() & mask, usage.read(key.key(), Optional.of(key.text()), key.refused()));
        }
        for (long key : busiest) {
            ranked.computeIfAbsent(key & mask, hash -> usage.read(key, Optional.empty(), /* refused= */ 0));
        }
        List<KeyUsage> sorted = new ArrayList<>(ranked.values());
        sorted.sort(ORDER);
        return List.copyOf(sorted.subList(0, Math.min(max, sorted.size())));
    }
}
