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

    /** The maximum number of rejected lines shown for one list. */
    private static final int MAX_REFUSALS = 5;

    @Override
    public boolean isLoggingEnabled() {
        return frontend.queryLog().isEnabled();
    }

    @Override
    public int logCapacity() {
        return config.logging().queryLog().memory();
    }

    @Override
    public List<LoggedQuery> queries(int limit, Predicate<LoggedQuery> fits) {
        return frontend.queryLog().newestQueries(limit, query -> fits.test(toLoggedQuery(query))).stream()
                .map(FrontendForwarding::toLoggedQuery)
                .toList();
    }

    @Override
    public int samplingRate() {
        return frontend.queryLog().samplingRate();
    }

    @Override
    public long droppedQueries() {
        Map<String, Long> dropped = frontend.queryLog().droppedCounts();
        return dropped.getOrDefault("queue", 0L) + dropped.getOrDefault("listener", 0L);
    }

    @Override
    public Map<String, Object> history(int hours) {
        return HistoryTree.of(stats.history().view(hours), isLoggingEnabled(), samplingRate(), droppedQueries());
    }

    @Override
    public List<Map<String, Object>> ruleLists() {
        Map<String, Long> blocked = frontend.forwarding().blockedByList();
        return frontend.forwarding().lists().stream()
                .map(list -> describeList(list, blocked.getOrDefault(list.name(), 0L)))
                .toList();
    }

    /** Describes a rule list. A time of 0 means that the event has not happened. */
    private static Map<String, Object> describeList(ListState list, long blocked) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", list.name());
        tree.put("enabled", list.isEnabled());
        tree.put("rules", list.ruleCount());
        tree.put("blocked", blocked);
        tree.put("read", list.lastSuccess().map(Instant::toEpochMilli).orElse(0L));
        tree.put("failed", list.lastFailure().map(Instant::toEpochMilli).orElse(0L));
        tree.put("problem", list.problem());
        tree.put("refused", list.refusedCount());
        tree.put(
                "refusals",
                list.refusals().stream()
                        .limit(MAX_REFUSALS)
                        .map(String::valueOf)
                        .toList());
        tree.put("broad", list.broadCount());
        tree.put(
                "broad_rules",
                list.broadRules().stream()
                        .limit(MAX_REFUSALS)
                        .map(String::valueOf)
                        .toList());
        return tree;
    }

    @Override
    public Set<String> pools() {
        return config.forward().map(DnsForwardConfig::pools).orElse(Set.of());
    }

    @Override
    public LiveQueries pollLiveQueries() {
        QuerySample.Taken taken = stats.sample().drain();
        return new LiveQueries(
                taken.seenCount(),
                taken.queries().stream().map(FrontendForwarding::toLoggedQuery).toList());
    }

    private static LoggedQuery toLoggedQuery(AnsweredQuery query) {
        return new LoggedQuery(
                Instant.ofEpochMilli(query.epochMillis()),
                query.client(),
                query.transport(),
                query.name(),
                query.type(),
                query.rcode(),
                HistoryTree.name(query.outcome()),
                query.decider(),
                query.micros(),
                query.responseBytes());
    }
}
