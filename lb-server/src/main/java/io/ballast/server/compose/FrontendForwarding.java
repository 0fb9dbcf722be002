package io.ballast.server.compose;

import io.ballast.dashboard.source.DnsForwarding;
import io.ballast.dashboard.source.LiveQueries;
import io.ballast.dashboard.source.LoggedQuery;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.forward.filter.list.ListState;
import io.ballast.dns.history.QuerySample;
import io.ballast.dns.querylog.AnsweredQuery;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Gives the API access to the forwarder of the DNS frontend. */
record FrontendForwarding(DnsFrontend frontend, DnsConfig config, ForwarderStats stats) implements DnsForwarding {

    /** The maximum number of rejected lines that are shown of a list. */
    private static final int REFUSALS = 5;

    @Override
    public boolean isLogged() {
        return frontend.queryLog().isEnabled();
    }

    @Override
    public int memory() {
        return config.logging().queryLog().memory();
    }

    @Override
    public List<LoggedQuery> queries(int limit, Predicate<LoggedQuery> fits) {
        return frontend.queryLog().newest(limit, query -> fits.test(logged(query))).stream()
                .map(FrontendForwarding::logged)
                .toList();
    }

    @Override
    public int sample() {
        return frontend.queryLog().sample();
    }

    @Override
    public long dropped() {
        Map<String, Long> dropped = frontend.queryLog().dropped();
        return dropped.getOrDefault("queue", 0L) + dropped.getOrDefault("listener", 0L);
    }

    @Override
    public Map<String, Object> history(int hours) {
        return HistoryTree.of(stats.history().view(hours), isLogged(), sample(), dropped());
    }

    @Override
    public List<Map<String, Object>> lists() {
        Map<String, Long> blocked = frontend.forwarding().blockedByList();
        return frontend.forwarding().lists().stream()
                .map(list -> list(list, blocked.getOrDefault(list.name(), 0L)))
                .toList();
    }

    /** Describes a rule list. A time is 0 if there was none. */
    private static Map<String, Object> list(ListState list, long blocked) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", list.name());
        tree.put("enabled", list.isEnabled());
        tree.put("rules", list.rules());
        tree.put("blocked", blocked);
        tree.put("read", list.lastSuccess().map(Instant::toEpochMilli).orElse(0L));
        tree.put("failed", list.lastFailure().map(Instant::toEpochMilli).orElse(0L));
        tree.put("problem", list.problem());
        tree.put("refused", list.refused());
        tree.put(
                "refusals",
                list.refusals().stream().limit(REFUSALS).map(String::valueOf).toList());
        tree.put("broad", list.broad());
        tree.put(
                "broad_rules",
                list.broadRules().stream().limit(REFUSALS).map(String::valueOf).toList());
        return tree;
    }

    @Override
    public Set<String> pools() {
        return config.forward().map(DnsForwardConfig::pools).orElse(Set.of());
    }

    @Override
    public LiveQueries takeLive() {
        QuerySample.Taken taken = stats.sample().take();
        return new LiveQueries(
                taken.seen(),
                taken.queries().stream().map(FrontendForwarding::logged).toList());
    }

    private static LoggedQuery logged(AnsweredQuery query) {
        return new LoggedQuery(
                Instant.ofEpochMilli(query.epochMillis()),
                query.client(),
                query.transport(),
                query.name(),
                query.type(),
                query.rcode(),
                HistoryTree.name(query.outcome()),
                query.by(),
                query.micros(),
                query.responseBytes());
    }
}
