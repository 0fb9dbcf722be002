package io.ballast.dashboard.testing;

import io.ballast.dashboard.source.DnsForwarding;
import io.ballast.dashboard.source.LiveQueries;
import io.ballast.dashboard.source.LoggedQuery;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A forwarder whose queries a test sets, with the pool {@code web} as upstream. */
public final class FakeForwarding implements DnsForwarding {

    private volatile List<LoggedQuery> queries = List.of();
    private volatile LiveQueries live = new LiveQueries(0, List.of());

    /** Returns a query that took 250 µs. */
    public static LoggedQuery query(String name, String type, String client, String outcome) {
        return new LoggedQuery(
                Instant.ofEpochMilli(1_700_000_000_000L),
                client,
                "udp",
                name,
                type,
                "NOERROR",
                outcome,
                "192.0.2.53:53",
                /* micros= */ 250,
                /* bytes= */ 64);
    }

    /** Sets the queries of the log, newest first. */
    public void queries(List<LoggedQuery> next) {
        queries = List.copyOf(next);
    }

    /** Sets the live queries. */
    public void live(LiveQueries next) {
        live = next;
    }

    @Override
    public boolean isLoggingEnabled() {
        return true;
    }

    @Override
    public int logCapacity() {
        return 1000;
    }

    @Override
    public List<LoggedQuery> queries(int limit, Predicate<LoggedQuery> fits) {
        return queries.stream().filter(fits).limit(limit).toList();
    }

    @Override
    public int samplingRate() {
        return 1;
    }

    @Override
    public long droppedQueries() {
        return 7;
    }

    @Override
    public Map<String, Object> history(int hours) {
        return Map.ofEntries(
                Map.entry("since", 1_700_000_000_000L - hours),
                Map.entry("step_seconds", 300),
                Map.entry("queries", 3),
                Map.entry("logged", true),
                Map.entry("sample", 1),
                Map.entry("dropped", 7),
                Map.entry("hit_share", Double.NaN),
                Map.entry("blocked_share", 0.25),
                Map.entry("outcomes", Map.of("hit", 3)),
                Map.entry("hits", Map.of()),
                Map.entry("misses", Map.of()),
                Map.entry("points", Map.of()),
                Map.entry("top_names", Map.of()),
                Map.entry("top_clients", Map.of()),
                Map.entry("top_blocked", Map.of()),
                Map.entry("lists", List.of()),
                Map.entry("upstreams", List.of()));
    }

    @Override
    public List<Map<String, Object>> ruleLists() {
        return List.of(Map.of("name", "ads", "rules", 1000));
    }

    @Override
    public Set<String> pools() {
        return Set.of("web", "gone");
    }

    @Override
    public LiveQueries pollLiveQueries() {
        return live;
    }
}
