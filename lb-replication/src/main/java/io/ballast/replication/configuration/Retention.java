package io.ballast.replication.configuration;

import io.ballast.cluster.fact.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Selects the versions and parts to remove: all but the last {@value #MAX_VERSIONS} versions, further versions if the
 * facts exceed their bound, and parts that no version needs. The active version is never removed. Stateless.
 */
final class Retention {

    static final int MAX_VERSIONS = 20;

    private static final int SPARE_BYTES = 1 << 20;

    private Retention() {}

    /**
     * Returns the facts to remove.
     *
     * @param all all facts about the configuration, the oldest first
     * @param active the number of the active version
     * @param newVersions the number of versions that will be added
     * @param newBytes the bytes that will be added
     * @param newData the hash of the content that will be added; its existing parts are kept
     */
    static List<Fact> removable(List<Fact> all, long active, int newVersions, long newBytes, String newData) {
        Map<String, Long> dataBytes = new HashMap<>();
        List<VersionFact> versions = new ArrayList<>();
        Map<Long, Fact> factOf = new HashMap<>();
        for (Fact fact : all) {
            if (fact.key().startsWith(DataFacts.PREFIX)) {
                dataBytes.merge(
                        DataFacts.hash(fact.key()),
                        (long) fact.key().length() + fact.value().length(),
                        Long::sum);
            } else if (fact.key().startsWith(VersionFact.PREFIX)) {
                VersionFact.decode(fact.value()).ifPresent(version -> {
                    versions.add(version);
                    factOf.put(version.version().number(), fact);
                });
            }
        }
        versions.sort((one, other) ->
                Long.compare(one.version().number(), other.version().number()));
        List<Fact> removed = new ArrayList<>();
        List<VersionFact> kept = new ArrayList<>(versions);
        for (VersionFact oldest : versions) {
            boolean hasRoom = kept.size() + newVersions <= MAX_VERSIONS
                    && used(kept, dataBytes) + newBytes + SPARE_BYTES <= ConfigurationFacts.MAX_BYTES;
            if (hasRoom) {
                break;
            }
            if (oldest.version().number() != active) {
                kept.remove(oldest);
                removed.add(factOf.get(oldest.version().number()));
            }
        }
        Set<String> needed = new HashSet<>();
        kept.forEach(version -> needed.add(version.data()));
        needed.add(newData);
        all.stream()
                .filter(fact -> fact.key().startsWith(DataFacts.PREFIX) && !needed.contains(DataFacts.hash(fact.key())))
                .forEach(removed::add);
        return removed;
    }

    private static long used(List<VersionFact> kept, Map<String, Long> dataBytes) {
        Set<String> hashes = new HashSet<>();
        kept.forEach(version -> hashes.add(version.data()));
        return hashes.stream()
                .mapToLong(hash -> dataBytes.getOrDefault(hash, 0L))
                .sum();
    }
}
