package io.ballast.cluster.fact;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The number and the size of the committed facts of each prefix, including prefixes that this version does not know.
 * Changed by one thread, readable by all. Bound: an entry for each prefix of an existing fact.
 */
final class FactUsage {

    private record Used(int facts, long bytes) {}

    private final Map<String, Used> used = new ConcurrentHashMap<>();

    /** The part of a key up to the first slash, including it; the whole key if it contains no slash. */
    static String prefix(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? key : key.substring(0, slash + 1);
    }

    void replace(@Nullable Fact before, @Nullable Fact after) {
        if (before != null) {
            add(before.key(), -1, -FactTable.size(before));
        }
        if (after != null) {
            add(after.key(), 1, FactTable.size(after));
        }
    }

    private void add(String key, int facts, long bytes) {
        String prefix = prefix(key);
        Used now = used.get(prefix);
        int count = facts + (now == null ? 0 : now.facts());
        if (now == null || count > 0) {
            used.put(prefix, new Used(count, bytes + (now == null ? 0 : now.bytes())));
        } else {
            used.remove(prefix);
        }
    }

    /**
     * Returns why a new value would exceed a bound of its prefix; empty if it does not, or if it makes the facts
     * smaller.
     *
     * @param current the committed fact of the key; null if there is none
     */
    Optional<String> excess(String key, String value, @Nullable Fact current, FactBound bound) {
        Used now = used.get(prefix(key));
        long before = current == null ? 0 : FactTable.size(current);
        long after = FactTable.size(new Fact(key, value, /* version= */ 1));
        if (current == null && now != null && now.facts() >= bound.facts()) {
            return Optional.of("there are " + now.facts() + " facts " + prefix(key) + " (expected: at most "
                    + bound.facts() + ")");
        }
        long total = (now == null ? 0 : now.bytes()) - before + after;
        if (after > before && total > bound.bytes()) {
            return Optional.of("the facts " + prefix(key) + " would have " + total + " bytes (expected: at most "
                    + bound.bytes() + ")");
        }
        return Optional.empty();
    }

    /** The number of facts with matching prefixes. Cost: O(number of prefixes). */
    int count(Predicate<String> prefixes) {
        return used.entrySet().stream()
                .filter(entry -> prefixes.test(entry.getKey()))
                .mapToInt(entry -> entry.getValue().facts())
                .sum();
    }
}
