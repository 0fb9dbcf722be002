package io.ballast.config.imports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The conditions of a route; a request must meet all of them. Immutable.
 *
 * @param host an exact name or {@code *.suffix}; empty for any host
 * @param path condition on the path
 * @param others further conditions by key. Keys of conditions on headers, parameters and cookies have the
 *     form {@code headers/NAME}. Lists under {@code method} and {@code client} contain alternatives
 */
public record ImportedConditions(String host, ImportedPath path, SortedMap<String, Object> others) {

    /** Matches every request. */
    public static final ImportedConditions ALL = new ImportedConditions("", ImportedPath.ANY, new TreeMap<>());

    /**
     * Orders exact hosts before suffixes, longer suffixes before shorter ones, and conditions for any host last.
     */
    public static final Comparator<ImportedConditions> BY_HOST = Comparator.comparingInt(
                    (ImportedConditions conditions) -> hostRank(conditions.host))
            .reversed();

    private static final String METHOD = "method";
    private static final String ANY_LABEL = "*";

    /** Returns a condition that requires this host. */
    public static ImportedConditions host(String host) {
        return new ImportedConditions(host.toLowerCase(Locale.ROOT), ImportedPath.ANY, new TreeMap<>());
    }

    /** Returns a condition that requires this path. */
    public static ImportedConditions path(ImportedPath path) {
        return new ImportedConditions("", path, new TreeMap<>());
    }

    /** Returns a condition with this key and value; it restricts neither the host nor the path. */
    public static ImportedConditions other(String key, Object value) {
        return new ImportedConditions("", ImportedPath.ANY, new TreeMap<>(Map.of(key, value)));
    }

    /**
     * Returns the intersection of both conditions: an empty list if no request meets both, and an empty {@code
     * Optional} if our format cannot express it.
     */
    public Optional<List<ImportedConditions>> and(ImportedConditions other) {
        Optional<String> both = intersectHosts(host, other.host);
        if (both.isEmpty()) {
            return Optional.of(List.of());
        }
        TreeMap<String, Object> united = new TreeMap<>(others);
        for (Map.Entry<String, Object> entry : other.others.entrySet()) {
            Object own = united.putIfAbsent(entry.getKey(), entry.getValue());
            if (own == null || own.equals(entry.getValue())) {
                continue;
            }
            if (own instanceof String && entry.getValue() instanceof String) {
                return Optional.of(List.of());
            }
            if (!entry.getKey().equals(METHOD)) {
                return Optional.empty();
            }
            List<Object> common = new ArrayList<>((List<?>) own);
            common.retainAll((List<?>) entry.getValue());
            if (common.isEmpty()) {
                return Optional.of(List.of());
            }
            united.put(METHOD, common);
        }
        return path.and(other.path)
                .map(paths -> paths.stream()
                        .map(one -> new ImportedConditions(both.get(), one, united))
                        .toList());
    }

    /**
     * Returns whether routing prefers a route with these conditions to a route with the conditions {@code other},
     * if both match a request and are equally specific.
     */
    boolean isTriedBefore(ImportedConditions other) {
        int byHost = Integer.compare(hostRank(host), hostRank(other.host));
        int byPath = Integer.compare(path.rank(), other.path.rank());
        int byCount = Integer.compare(others.size(), other.others.size());
        return byHost != 0 ? byHost > 0 : byPath != 0 ? byPath > 0 : byCount > 0;
    }

    /** Returns the mapping to write under {@code match}; {@code hostKey} is {@code host} or {@code sni}. */
    Map<String, Object> toMap(String hostKey) {
        Map<String, Object> match = new LinkedHashMap<>();
        if (!host.isEmpty()) {
            match.put(hostKey, host);
        }
        switch (path.kind()) {
            case ANY -> {}
            case PREFIX -> match.put("path", path.text());
            case EXACT -> match.put("path_exact", path.text());
            case REGEX -> match.put("path_regex", path.text());
        }
        Options options = new Options();
        others.forEach((key, value) -> {
            int slash = key.indexOf('/');
            options.putIn(slash < 0 ? "" : key.substring(0, slash), key.substring(slash + 1), value);
        });
        match.putAll(options.map());
        return match;
    }

    private static int hostRank(String host) {
        return host.isEmpty() ? 0 : host.startsWith(ANY_LABEL) ? host.length() : Integer.MAX_VALUE;
    }

    private static Optional<String> intersectHosts(String one, String other) {
        if (covers(one, other)) {
            return Optional.of(other);
        }
        return covers(other, one) ? Optional.of(one) : Optional.empty();
    }

    private static boolean covers(String wide, String narrow) {
        return wide.isEmpty()
                || wide.equals(narrow)
                || (wide.startsWith(ANY_LABEL) && narrow.endsWith(wide.substring(1)));
    }
}
