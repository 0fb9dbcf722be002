package io.ballast.server.compose;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dns.history.HistoryView;
import io.ballast.dns.history.HistoryView.Point;
import io.ballast.dns.history.HistoryView.Resolver;
import io.ballast.dns.history.HistoryView.Top;
import io.ballast.dns.querylog.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Converts the forwarder's statistics of the last hours to a document of the API, which consists of
 * texts, numbers, lists and maps.
 */
final class HistoryTree {

    private static final double MEDIAN = 0.5;
    private static final double P95 = 0.95;

    private HistoryTree() {}

    /**
     * @param logged whether queries are currently counted
     * @param sample the sampling rate: the history includes one out of this number of queries
     * @param dropped number of queries that the log could not accept
     */
    static Map<String, Object> of(HistoryView view, boolean logged, int sample, long dropped) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("since", view.since().toEpochMilli());
        tree.put("step_seconds", view.step().toSeconds());
        tree.put("queries", view.queries());
        tree.put("logged", logged);
        tree.put("sample", sample);
        tree.put("dropped", dropped);
        tree.put("hit_share", hitShare(view.outcomes()));
        tree.put("blocked_share", blockedShare(view.outcomes()));
        tree.put(
                "week_before",
                view.outcomesWeekBefore().map(HistoryTree::shares).orElse(Map.of()));
        tree.put("outcomes", countsByName(view.outcomes()));
        tree.put("hits", times(view.hits()));
        tree.put("misses", times(view.misses()));
        tree.put("points", points(view.points()));
        tree.put("top_names", top(view.names()));
        tree.put("top_clients", top(view.clients()));
        tree.put("top_blocked", top(view.blockedNames()));
        tree.put(
                "lists",
                view.lists().stream()
                        .map(list -> Map.of("name", list.name(), "blocked", list.count()))
                        .toList());
        tree.put(
                "upstreams",
                view.resolvers().stream().map(HistoryTree::resolver).toList());
        return tree;
    }

    /** Returns the share of cache hits among forwarded queries; NaN if there are no such queries. */
    private static double hitShare(Map<Outcome, Long> outcomes) {
        double hits = count(outcomes, Outcome.HIT) + count(outcomes, Outcome.STALE);
        return hits / (hits + count(outcomes, Outcome.MISS) + count(outcomes, Outcome.FAILED));
    }

    /**
     * Returns the share of blocked queries among all queries for names outside the zones; NaN if there are no
     * such queries.
     */
    private static double blockedShare(Map<Outcome, Long> outcomes) {
        long all = outcomes.values().stream().mapToLong(Long::longValue).sum();
        return (double) count(outcomes, Outcome.BLOCKED) / (all - count(outcomes, Outcome.AUTHORITY));
    }

    private static Map<String, Object> shares(Map<Outcome, Long> outcomes) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(
                "queries", outcomes.values().stream().mapToLong(Long::longValue).sum());
        tree.put("hit_share", hitShare(outcomes));
        tree.put("blocked_share", blockedShare(outcomes));
        return tree;
    }

    private static long count(Map<Outcome, Long> outcomes, Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    private static Map<String, Object> countsByName(Map<Outcome, Long> outcomes) {
        Map<String, Object> named = new LinkedHashMap<>();
        outcomes.forEach((outcome, count) -> named.put(name(outcome), count));
        return named;
    }

    static String name(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the mean and the percentiles of response times; each value is NaN if there are no response times.
     */
    private static Map<String, Object> times(LatencySummary times) {
        boolean any = times.count() > 0;
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("mean_ms", any ? times.averageMillis() : Double.NaN);
        tree.put("p50_ms", percentile(times, MEDIAN));
        tree.put("p95_ms", percentile(times, P95));
        return tree;
    }

    private static double percentile(LatencySummary times, double share) {
        return times.count() > 0 ? times.percentileMillis(share) : Double.NaN;
    }

    /**
     * Returns the points as lists of the same length: the start times, the counts of each outcome, and the
     * response times.
     */
    private static Map<String, Object> points(List<Point> points) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(
                "time",
                points.stream().map(point -> point.begin().toEpochMilli()).toList());
        for (Outcome outcome : Outcome.values()) {
            tree.put(
                    name(outcome),
                    points.stream()
                            .map(point -> count(point.outcomes(), outcome))
                            .toList());
        }
        tree.put(
                "hit_p95_ms",
                points.stream().map(point -> percentile(point.hits(), P95)).toList());
        tree.put(
                "miss_p95_ms",
                points.stream().map(point -> percentile(point.misses(), P95)).toList());
        return tree;
    }

    private static Map<String, Object> top(Top top) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(
                "items",
                top.items().stream()
                        .map(item -> Map.of("name", item.name(), "count", item.count()))
                        .toList());
        tree.put("error", top.error());
        return tree;
    }

    private static Map<String, Object> resolver(Resolver resolver) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", resolver.name());
        tree.put("queries", resolver.times().count());
        tree.put("failures", resolver.failures());
        tree.putAll(times(resolver.times()));
        return tree;
    }
}
