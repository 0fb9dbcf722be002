package io.ballast.cli.status;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.terminal.TextTable;
import io.ballast.core.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The state of a running balancer, as text or as a JSON object. */
final class StatusReport {

    /** Maximum number of lines of each part; further lines are only counted. */
    private static final int MAX_ROWS = 15;

    private static final int MAX_EVENTS = 8;

    private final ApiObject stats;
    private final ApiObject health;
    private final List<ApiObject> events;
    private final PolicyReport policies;

    /**
     * Creates a report from documents that the API has returned.
     *
     * @param stats the document {@code /api/v1/stats}
     * @param health the document {@code /api/v1/health}
     * @param events the document {@code /api/v1/events}
     * @param policies keys and refusals of policies
     */
    public StatusReport(ApiObject stats, ApiObject health, ApiObject events, PolicyReport policies) {
        this.policies = policies;
        this.stats = stats;
        this.health = health;
        List<ApiObject> all = events.objects("events");
        this.events = all.subList(Math.max(0, all.size() - MAX_EVENTS), all.size());
    }

    /** Whether every pool has a healthy backend that takes traffic. */
    public boolean isUsable() {
        return stats.objects("pools").stream().allMatch(pool -> healthy(pool) > 0);
    }

    /**
     * The number of healthy backends of a pool. In panic mode, backends that are not healthy take traffic
     * too.
     */
    public static long healthy(ApiObject pool) {
        return pool.number("healthy_count", "usable_count");
    }

    /** Returns the report as lines of text for a terminal. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        ApiObject process = stats.object("process");
        lines.add("Ballast " + process.text("version") + ", up "
                + DurationText.of(Duration.ofSeconds(process.number("uptime_seconds"))) + ", "
                + (health.flag("ready") ? "ready" : "not ready: " + health.text("reason")));
        ApiObject total = stats.object("total");
        lines.add(String.format(
                Locale.ROOT,
                "%,.1f requests/s, %,d in flight, recent p99 %.1f ms, %,d requests and %,d errors since the start",
                total.decimal("rps"),
                total.number("in_flight"),
                total.object("recent").decimal("p99_ms"),
                total.number("total_req_count"),
                total.number("errors")));
        ApiObject cluster = stats.object("cluster");
        if (!cluster.fields().isEmpty()) {
            lines.add(clusterLine(cluster));
        }
        addListeners(lines);
        addPools(lines);
        lines.add("");
        lines.add(events.isEmpty() ? "No events since the start." : "LAST EVENTS");
        events.forEach(event -> lines.add(
                truncateToSeconds(event.text("time")) + "  " + event.text("subject") + " " + event.text("text")));
        return lines;
    }

    private static String clusterLine(ApiObject cluster) {
        List<String> missing = cluster.texts("missing_voters");
        long pending = cluster.number("pending");
        return "Cluster " + cluster.text("name") + ", node " + cluster.text("node") + ": "
                + (cluster.flag("has_majority") ? "leader " + cluster.text("leader") : "no majority of the voters")
                + (missing.isEmpty() ? "" : ", voters that are not connected: " + String.join(", ", missing))
                + (pending > 0 ? ", " + pending + (pending == 1 ? " change is" : " changes are") + " pending" : "");
    }

    /** Truncates a time to whole seconds; returns any text that is not a time unchanged. */
    static String truncateToSeconds(String time) {
        try {
            return Instant.parse(time).truncatedTo(ChronoUnit.SECONDS).toString();
        } catch (DateTimeParseException e) {
            return time;
        }
    }

    private void addListeners(List<String> lines) {
        List<ApiObject> listeners = stats.objects("listeners");
        if (!listeners.isEmpty()) {
            TextTable table = new TextTable(2, "LISTENER", "ADDRESS", "REQ/S", "REQUESTS", "4XX", "5XX", "OPEN");
            listeners.stream()
                    .limit(MAX_ROWS)
                    .forEach(listener -> table.add(
                            listener.text("name"),
                            listener.text("addr"),
                            formatRate(listener),
                            listener.text("requests"),
                            listener.object("responses").text("4xx"),
                            listener.object("responses").text("5xx"),
                            listener.text("connections_open")));
            addTable(lines, table, listeners.size());
        }
        addPolicies(lines);
        ApiObject dns = stats.object("dns");
        if (!dns.fields().isEmpty()) {
            lines.add("");
            lines.add(String.format(
                    Locale.ROOT,
                    "DNS: %,.1f queries/s, %,d since the start",
                    dns.decimal("qps"),
                    dns.number("queries")));
            addForwarding(lines, dns);
        }
    }

    private void addPolicies(List<String> lines) {
        List<ApiObject> counted = stats.objects("policies");
        if (!counted.isEmpty()) {
            TextTable table = new TextTable(2, "POLICY", "KIND", "PASSED", "ANSWERED", "REFUSED", "FAILED", "");
            counted.stream().limit(MAX_ROWS).forEach(policy -> {
                ApiObject requests = policy.object("requests");
                boolean dryRun = policy.flag("dry_run");
                table.add(
                        policy.text("name"),
                        policy.text("kind"),
                        requests.text("passed"),
                        requests.text("answered"),
                        requests.text(dryRun ? "would_refuse" : "refused"),
                        requests.text("failed"),
                        dryRun ? "dry run" : currently(policy.object("state")));
            });
            addTable(lines, table, counted.size());
        }
        lines.addAll(policies.lines());
    }

    /** Returns the current values of a policy, such as "limit 20, 3 in flight"; empty if it has none. */
    private static String currently(ApiObject state) {
        List<String> texts = new ArrayList<>();
        if (state.number("open") > 0) {
            texts.add("open");
        }
        if (state.fields().containsKey("limit")) {
            texts.add("limit " + state.text("limit"));
            texts.add(state.text("in_flight") + " in flight");
        }
        if (state.number("waiting") > 0) {
            texts.add(state.text("waiting") + " waiting");
        }
        if (state.fields().containsKey("nodes")) {
            texts.add("shared by " + state.text("nodes") + " nodes");
        }
        return String.join(", ", texts);
    }

    private static void addForwarding(List<String> lines, ApiObject dns) {
        if (dns.flag("forwards")) {
            ApiObject forwarded = dns.object("forwarded");
            lines.add(String.format(
                    Locale.ROOT,
                    "Forwarding: %,d from the cache, %,d from resolvers, %,d blocked, %,d failed since the start",
                    forwarded.number("hit") + forwarded.number("stale"),
                    Math.max(0, forwarded.number("miss") - forwarded.number("failed")),
                    forwarded.number("blocked"),
                    forwarded.number("failed") + forwarded.number("servfail") + forwarded.number("overloaded")));
        }
    }

    private void addPools(List<String> lines) {
        List<ApiObject> pools = stats.objects("pools");
        TextTable table = new TextTable(2, "POOL", "IN SERVICE", "REQ/S", "P99 MS", "ERRORS", "");
        pools.stream()
                .sorted((a, b) -> Boolean.compare(healthy(a) > 0, healthy(b) > 0))
                .limit(MAX_ROWS)
                .forEach(pool -> table.add(
                        pool.text("name"),
                        healthy(pool) + " of " + pool.text("backend_count"),
                        formatRate(pool.object("requests")),
                        pool.object("recent").text("p99_ms"),
                        pool.object("requests").text("errors"),
                        remark(pool)));
        addTable(lines, table, pools.size());
    }

    private static String remark(ApiObject pool) {
        if (!pool.object("maintenance").fields().isEmpty()) {
            return "under maintenance";
        }
        String panic = pool.flag("panic") ? "panic mode: requests go to all backends" : "";
        if (healthy(pool) == 0) {
            return panic.isEmpty() ? "OUT OF SERVICE" : "OUT OF SERVICE, " + panic;
        }
        return panic;
    }

    private static void addTable(List<String> lines, TextTable table, int all) {
        lines.add("");
        lines.addAll(table.lines());
        if (all > MAX_ROWS) {
            lines.add("and " + (all - MAX_ROWS) + " more");
        }
    }

    private static String formatRate(ApiObject figures) {
        return String.format(Locale.ROOT, "%.1f", figures.decimal("rps"));
    }

    /** Returns the report for programs: numbers and booleans keep their types. */
    public Map<String, Object> tree() {
        ApiObject process = stats.object("process");
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("version", process.text("version"));
        tree.put("uptime_seconds", process.number("uptime_seconds"));
        tree.put("ready", health.flag("ready"));
        tree.put("reason", health.text("reason"));
        tree.put("usable", isUsable());
        if (!stats.object("cluster").fields().isEmpty()) {
            tree.put("cluster", cluster(stats.object("cluster")));
        }
        tree.put(
                "listeners",
                stats.objects("listeners").stream().map(StatusReport::listener).toList());
        tree.put(
                "pools", stats.objects("pools").stream().map(StatusReport::pool).toList());
        tree.put("policies", policies.tree());
        tree.put("events", events.stream().map(StatusReport::event).toList());
        return tree;
    }

    private static Map<String, Object> cluster(ApiObject cluster) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", cluster.text("name"));
        tree.put("node", cluster.text("node"));
        tree.put("has_majority", cluster.flag("has_majority"));
        if (cluster.flag("has_majority")) {
            tree.put("leader", cluster.text("leader"));
        }
        tree.put("missing_voters", cluster.texts("missing_voters"));
        tree.put("pending", cluster.number("pending"));
        return tree;
    }

    private static Map<String, Object> listener(ApiObject listener) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", listener.text("name"));
        tree.put("addr", listener.text("addr"));
        tree.put("rps", listener.decimal("rps"));
        tree.put("requests", listener.number("requests"));
        tree.put("errors", listener.number("errors"));
        tree.put("connections_open", listener.number("connections_open"));
        return tree;
    }

    private static Map<String, Object> pool(ApiObject pool) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", pool.text("name"));
        tree.put("healthy_count", healthy(pool));
        tree.put("usable_count", pool.number("usable_count"));
        tree.put("backend_count", pool.number("backend_count"));
        tree.put("maintenance", !pool.object("maintenance").fields().isEmpty());
        tree.put("panic", pool.flag("panic"));
        tree.put("rps", pool.object("requests").decimal("rps"));
        tree.put("errors", pool.object("requests").number("errors"));
        return tree;
    }

    private static Map<String, Object> event(ApiObject event) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("time", event.text("time"));
        tree.put("subject", event.text("subject"));
        tree.put("text", event.text("text"));
        tree.put("origin", event.text("origin"));
        return tree;
    }
}
