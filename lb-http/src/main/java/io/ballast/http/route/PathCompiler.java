package io.ballast.http.route;

import io.ballast.http.config.PathMatch;
import io.ballast.http.route.regex.RegexStart;
import io.ballast.http.route.request.PathNormalizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects and compiles the routes of one host. Not thread-safe. */
final class PathCompiler {

    private static final String ROOT = "";

    private final Map<String, List<RouteCandidate>> exact = new HashMap<>();
    private final Map<String, List<RouteCandidate>> prefixes = new HashMap<>();

    /**
     * Adds a route. A regular expression is stored at the longest literal prefix of its matches, before the
     * routes of that prefix.
     */
    void add(PathMatch path, RouteCandidate candidate) {
        Map<String, List<RouteCandidate>> target = path instanceof PathMatch.Exact ? exact : prefixes;
        target.computeIfAbsent(key(path), key -> new ArrayList<>()).add(candidate);
    }

    private static String key(PathMatch path) {
        if (path instanceof PathMatch.Regex regex) {
            return RegexStart.directory(regex.text());
        }
        String normal = new String(PathNormalizer.normalForm(path.text()), StandardCharsets.ISO_8859_1);
        boolean open = path instanceof PathMatch.Prefix && normal.endsWith("/");
        return open ? normal.substring(0, normal.length() - 1) : normal;
    }

    /** @param next the routes of the next less specific host */
    HostRoutes compile(@Nullable HostRoutes next) {
        Map<String, PathRoutes> exactTable = new HashMap<>();
        exact.forEach((path, candidates) -> exactTable.put(path, new PathRoutes(sorted(candidates), null)));
        PathRoutes root = new PathRoutes(sorted(prefixes.getOrDefault(ROOT, List.of())), null);
        Map<String, PathRoutes> prefixTable = new HashMap<>();
        // Shorter prefixes are compiled first, because longer prefixes link to them.
        List<String> paths = prefixes.keySet().stream()
                .filter(path -> !path.isEmpty())
                .sorted(Comparator.comparingInt(String::length))
                .toList();
        for (String path : paths) {
            List<RouteCandidate> candidates = prefixes.getOrDefault(path, List.of());
            prefixTable.put(path, new PathRoutes(sorted(candidates), shorter(path, prefixTable, root)));
        }
        return new HostRoutes(ByteTable.ofPaths(exactTable), ByteTable.ofPaths(prefixTable), root, next);
    }

    private static PathRoutes shorter(String path, Map<String, PathRoutes> table, PathRoutes root) {
        for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
            PathRoutes prefix = table.get(path.substring(0, slash));
            if (prefix != null) {
                return prefix;
            }
        }
        return root;
    }

    private static RouteCandidate[] sorted(List<RouteCandidate> candidates) {
        return candidates.stream().sorted(RouteCandidate.MOST_SPECIFIC_FIRST).toArray(RouteCandidate[]::new);
    }
}
