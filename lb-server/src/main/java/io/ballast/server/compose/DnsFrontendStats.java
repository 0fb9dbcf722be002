package io.ballast.server.compose;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.source.DnsCacheStats;
import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.follow.FollowedAddresses;
import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.history.DnsHistory;
import io.ballast.dns.secondary.SecondaryState;
import io.ballast.dns.secondary.SecondaryZones;
import io.ballast.dns.stats.DnsCounter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Shows the DNS frontend's counters to the dashboard.
 *
 * @param history the history of its answers
 * @param isForwarding whether its configuration enables forwarding
 */
record DnsFrontendStats(DnsFrontend frontend, DnsHistory history, boolean isForwarding) implements DnsStatistics {

    /**
     * The maximum number of secondary zones with their own metrics: a catalog zone may list any number of zones.
     */
    private static final int MAX_ZONES = 1000;

    private static final List<DnsCounter> TRANSPORTS =
            List.of(DnsCounter.QUERIES_UDP, DnsCounter.QUERIES_TCP, DnsCounter.QUERIES_DOT, DnsCounter.QUERIES_DOH);

    private static final List<DnsCounter> LIMITS = List.of(
            DnsCounter.CLIENT_LIMIT,
            DnsCounter.EVICTED,
            DnsCounter.IDLE,
            DnsCounter.SLOW_SENDER,
            DnsCounter.SLOW_READER,
            DnsCounter.PROXY_REFUSED,
            DnsCounter.TLS_FAILED,
            DnsCounter.NOT_ACCEPTED);

    private static final List<DnsCounter> CODES = List.of(
            DnsCounter.NOERROR,
            DnsCounter.FORMERR,
            DnsCounter.SERVFAIL,
            DnsCounter.NXDOMAIN,
            DnsCounter.NOTIMP,
            DnsCounter.REFUSED,
            DnsCounter.YXDOMAIN,
            DnsCounter.YXRRSET,
            DnsCounter.NXRRSET,
            DnsCounter.NOTAUTH,
            DnsCounter.NOTZONE,
            DnsCounter.BADVERS,
            DnsCounter.BADCOOKIE);

    private static final List<DnsCounter> PROTECTION = List.of(
            DnsCounter.COOKIES_VALID,
            DnsCounter.COOKIES_BAD,
            DnsCounter.LIMITED_TRUNCATED,
            DnsCounter.LIMITED_DROPPED,
            DnsCounter.RESPONSES_RECEIVED,
            DnsCounter.SUSPICIOUS_PORTS,
            DnsCounter.MALFORMED,
            DnsCounter.SIGNED,
            DnsCounter.SIGNATURES_REFUSED,
            DnsCounter.CONTROL_UNSIGNED,
            DnsCounter.CONTROL_OVERLOADED);

    private static final List<DnsCounter> FORWARDED = List.of(
            DnsCounter.FORWARD_BLOCKED,
            DnsCounter.FORWARD_REWRITTEN,
            DnsCounter.FORWARD_REBINDING,
            DnsCounter.FORWARD_HITS,
            DnsCounter.FORWARD_MISSES,
            DnsCounter.FORWARD_STALE,
            DnsCounter.FORWARD_FAILED,
            DnsCounter.FORWARD_SERVFAIL,
            DnsCounter.FORWARD_PROHIBITED,
            DnsCounter.FORWARD_OVERLOADED);

    private static final List<DnsCounter> QUESTIONS = List.of(
            DnsCounter.FORWARD_QUESTIONS,
            DnsCounter.FORWARD_REFRESHES,
            DnsCounter.FORWARD_RETRIES,
            DnsCounter.FORWARD_MALFORMED,
            DnsCounter.FORWARD_OUT_OF_BAILIWICK,
            DnsCounter.SUBNETS_TOLD,
            DnsCounter.SUBNETS_REFUSED,
            DnsCounter.SUBNETS_WITHHELD);

    private static final List<DnsCounter> VERDICTS = List.of(
            DnsCounter.VALIDATED_SECURE,
            DnsCounter.VALIDATED_INSECURE,
            DnsCounter.VALIDATED_BOGUS,
            DnsCounter.VALIDATION_FAILED,
            DnsCounter.VALIDATION_DROPPED);

    @Override
    public Map<String, Long> validated() {
        return sums(VERDICTS);
    }

    @Override
    public long validationNanos() {
        return frontend.stats().sum(DnsCounter.VALIDATION_NANOS);
    }

    @Override
    public Map<String, Long> forwarded() {
        return sums(FORWARDED);
    }

    @Override
    public long forwardedQueries() {
        return frontend.stats().sum(DnsCounter.FORWARD_QUERIES);
    }

    @Override
    public Map<String, LatencySummary> answerTimes() {
        Map<String, LatencySummary> times = new LinkedHashMap<>();
        times.put("cache", history.hitTimes());
        times.put("resolver", history.missTimes());
        return times;
    }

    private static final List<DnsCounter> TRANSFERS = List.of(
            DnsCounter.TRANSFERS_WHOLE,
            DnsCounter.TRANSFERS_INCREMENTAL,
            DnsCounter.TRANSFERS_UP_TO_DATE,
            DnsCounter.TRANSFERS_PROHIBITED,
            DnsCounter.TRANSFERS_OVERLOADED,
            DnsCounter.TRANSFERS_CUT);

    private static final List<DnsCounter> NOTIFIES =
            List.of(DnsCounter.NOTIFIES_ACKNOWLEDGED, DnsCounter.NOTIFIES_FAILED);

    @Override
    public Map<String, Long> transfers() {
        return sums(TRANSFERS);
    }

    private static final List<DnsCounter> UPDATES = List.of(
            DnsCounter.UPDATES_APPLIED,
            DnsCounter.UPDATES_UNCHANGED,
            DnsCounter.UPDATES_UNMET,
            DnsCounter.UPDATES_MALFORMED,
            DnsCounter.UPDATES_PROHIBITED,
            DnsCounter.UPDATES_FAILED,
            DnsCounter.UPDATES_OVERLOADED);

    @Override
    public Map<String, Long> updates() {
        return sums(UPDATES);
    }

    @Override
    public Map<String, Long> notifies() {
        return sums(NOTIFIES);
    }

    private static final List<DnsCounter> FOLLOW_UPS = List.of(DnsCounter.FOLLOW_ANSWERED, DnsCounter.FOLLOW_FAILED);

    @Override
    public Map<String, Long> followUps() {
        return sums(FOLLOW_UPS);
    }

    @Override
    public Map<String, Long> followedNames() {
        Map<FollowedAddresses.State, Integer> states = frontend.aliasResolver().states();
        Map<String, Long> names = new LinkedHashMap<>();
        for (FollowedAddresses.State state : FollowedAddresses.State.values()) {
            names.put(state.name().toLowerCase(Locale.ROOT), (long) states.getOrDefault(state, 0));
        }
        return names;
    }

    @Override
    public Map<String, Long> upstreamQuestions() {
        return sums(QUESTIONS);
    }

    @Override
    public Map<String, Long> upstreamEvents() {
        Map<String, Long> sums = new LinkedHashMap<>();
        frontend.upstreamEvents().forEach((counter, sum) -> sums.put(counter.label(), sum));
        return sums;
    }

    @Override
    public long waitingQueries() {
        return frontend.forwarding().permits().inUse();
    }

    @Override
    public Map<String, Long> blockedByList() {
        return frontend.forwarding().blockedByList();
    }

    @Override
    public Map<String, Long> rulesByList() {
        Map<String, Long> rules = new LinkedHashMap<>();
        frontend.forwarding().lists().forEach(list -> rules.put(list.name(), (long) list.ruleCount()));
        return rules;
    }

    @Override
    public Map<String, Long> failingLists() {
        Map<String, Long> failing = new LinkedHashMap<>();
        frontend.forwarding()
                .lists()
                .forEach(list -> failing.put(list.name(), list.lastFailure().isPresent() ? 1L : 0));
        return failing;
    }

    @Override
    public Map<String, Long> secondaryServed() {
        return ofZones(zone -> OptionalLong.of(zone.status() == SecondaryState.Status.SERVED ? 1 : 0));
    }

    @Override
    public Map<String, Long> secondaryFailures() {
        return ofZones(zone -> OptionalLong.of(zone.failures()));
    }

    @Override
    public Map<String, Long> secondarySerials() {
        return ofZones(SecondaryState::serial);
    }

    private Map<String, Long> ofZones(Function<SecondaryState, OptionalLong> value) {
        Map<String, Long> values = new LinkedHashMap<>();
        frontend.secondaryZones().map(SecondaryZones::states).orElse(List.of()).stream()
                .limit(MAX_ZONES)
                .forEach(zone -> value.apply(zone).ifPresent(each -> values.put(zone.zone(), each)));
        return values;
    }

    @Override
    public DnsCacheStats cache() {
        return frontend.forwarding()
                .cache()
                .map(AnswerCache::statistics)
                .map(kept -> new DnsCacheStats(
                        kept.entries(), kept.bytes(), kept.maxBytes(), kept.insertions(), kept.evictions()))
                .orElse(DnsCacheStats.NONE);
    }

    @Override
    public Map<String, Long> logged() {
        return frontend.queryLog().writtenCounts();
    }

    @Override
    public Map<String, Long> logDropped() {
        return frontend.queryLog().droppedCounts();
    }

    @Override
    public List<String> addresses() {
        return frontend.addresses().stream()
                .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
                .toList();
    }

    @Override
    public long queries() {
        return queriesByTransport().values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public Map<String, Long> queriesByType() {
        return Map.of(
                "A", frontend.stats().sum(DnsCounter.TYPE_A),
                "AAAA", frontend.stats().sum(DnsCounter.TYPE_AAAA),
                "other", frontend.stats().sum(DnsCounter.TYPE_OTHER));
    }

    @Override
    public Map<String, Long> queriesByTransport() {
        return sums(TRANSPORTS);
    }

    @Override
    public long connectionsOpen() {
        // Closed connections are read first, so that a connection that opens and closes between the reads is not
        // counted as closed only.
        long closed = frontend.stats().sum(DnsCounter.CONNECTIONS_CLOSED);
        return frontend.stats().sum(DnsCounter.CONNECTIONS) - closed;
    }

    @Override
    public long connectionsAccepted() {
        return frontend.stats().sum(DnsCounter.CONNECTIONS);
    }

    @Override
    public long httpErrors() {
        return frontend.stats().sum(DnsCounter.HTTP_ERRORS);
    }

    @Override
    public Map<String, Long> connectionsLimited() {
        return sums(LIMITS);
    }

    @Override
    public Map<String, Long> responsesByCode() {
        Map<String, Long> sums = new LinkedHashMap<>();
        sums(CODES).forEach((code, sum) -> sums.put(code.toUpperCase(Locale.ROOT), sum));
        return sums;
    }

    @Override
    public Map<String, Map<String, Long>> queriesByZone() {
        Map<String, Map<String, Long>> byZone = new LinkedHashMap<>();
        frontend.zones().stats().queriesByZone().forEach((zone, outcomes) -> {
            Map<String, Long> byOutcome = new LinkedHashMap<>();
            outcomes.forEach((outcome, queries) -> byOutcome.put(outcome.label(), queries));
            byZone.put(zone, byOutcome);
        });
        return byZone;
    }

    @Override
    public Map<String, Long> queriesByService() {
        return frontend.zones().stats().queriesByService();
    }

    private Map<String, Long> sums(List<DnsCounter> counters) {
        Map<String, Long> sums = new LinkedHashMap<>();
        counters.forEach(counter -> sums.put(counter.label(), frontend.stats().sum(counter)));
        return sums;
    }

    @Override
    public Map<String, Long> protection() {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (DnsCounter counter : PROTECTION) {
            sums.put(counter.label(), frontend.stats().sum(counter));
        }
        return sums;
    }
}
