package io.ballast.dns.report;

import static io.ballast.dns.report.DnsReportSource.counters;

import io.ballast.core.stats.Metric;
import io.ballast.core.stats.SampleConsumer;
import io.ballast.core.stats.Statistic;
import io.ballast.dns.follow.FollowedAddresses;
import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.forward.cache.CacheStatistics;
import io.ballast.dns.secondary.SecondaryState;
import io.ballast.dns.secondary.SecondaryZones;
import io.ballast.dns.stats.DnsCounter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The statistics of forwarding and of its cache, of zone maintenance, and of the query log. */
public final class ForwardingStatistics {

    /** The maximum number of secondary zones with their own metrics: a catalog zone may list any number of zones. */
    private static final int MAX_ZONES = 1000;

    private static final CacheStatistics NO_CACHE = new CacheStatistics(0, 0, 0, 0, 0);

    /** All statistics of this class, in the order of the metrics exposition and of the API. */
    public static final List<Statistic<DnsReportSource>> ALL = List.of(
            Statistic.ofValue(
                    Metric.counter(
                            "ballast.dns.forwarded.queries",
                            "Queries for names outside the zones, or with aliases that point outside them; each counts"
                                    + " once"),
                    "forwarded_queries",
                    source -> source.sum(DnsCounter.FORWARD_QUERIES)),
            counters(
                    Metric.counter(
                            "ballast.dns.forwarded",
                            "Queries for names outside the zones, by outcome: blocked (by a filter list), rewritten (by"
                                    + " a rewrite rule), rebinding (the answer has an address that names on the internet"
                                    + " may not have), hit (answered from the cache), miss (had to wait for a resolver), stale (an expired"
                                    + " answer; those that had to wait count as a miss, too), failed (no answer in time;"
                                    + " likewise), servfail (a resolver answered SERVFAIL or a similar error; counts as a"
                                    + " miss too, or as a hit if it came from the cache), prohibited (refused: the client"
                                    + " is not allowed), overloaded (refused: too many were waiting)",
                            "outcome"),
                    "forwarded",
                    DnsCounter.FORWARD_BLOCKED,
                    DnsCounter.FORWARD_REWRITTEN,
                    DnsCounter.FORWARD_REBINDING,
                    DnsCounter.FORWARD_HITS,
                    DnsCounter.FORWARD_MISSES,
                    DnsCounter.FORWARD_STALE,
                    DnsCounter.FORWARD_FAILED,
                    DnsCounter.FORWARD_SERVFAIL,
                    DnsCounter.FORWARD_PROHIBITED,
                    DnsCounter.FORWARD_OVERLOADED),
            counters(
                    Metric.counter(
                            "ballast.dns.transfers",
                            "Transfer requests of other servers, by outcome: whole (AXFR), incremental (IXFR),"
                                    + " up_to_date (nothing newer to send, or it does not fit into a datagram), prohibited"
                                    + " (refused: the server may not have the zone, or not over UDP), overloaded (refused:"
                                    + " the limit of concurrent transfers was reached), cut (broken off)",
                            "outcome"),
                    "transfers",
                    DnsCounter.TRANSFERS_WHOLE,
                    DnsCounter.TRANSFERS_INCREMENTAL,
                    DnsCounter.TRANSFERS_UP_TO_DATE,
                    DnsCounter.TRANSFERS_PROHIBITED,
                    DnsCounter.TRANSFERS_OVERLOADED,
                    DnsCounter.TRANSFERS_CUT),
            counters(
                    Metric.counter(
                            "ballast.dns.updates",
                            "Dynamic updates (RFC 2136), by outcome: applied, unchanged (no record changed), unmet (a"
                                    + " prerequisite did not hold), malformed, prohibited (refused: the client may not"
                                    + " update, or not this record), failed (could not be written or served; the zone is"
                                    + " unchanged), overloaded (too many were waiting, or another process owns the zone)",
                            "outcome"),
                    "updates",
                    DnsCounter.UPDATES_APPLIED,
                    DnsCounter.UPDATES_UNCHANGED,
                    DnsCounter.UPDATES_UNMET,
                    DnsCounter.UPDATES_MALFORMED,
                    DnsCounter.UPDATES_PROHIBITED,
                    DnsCounter.UPDATES_FAILED,
                    DnsCounter.UPDATES_OVERLOADED),
            counters(
                    Metric.counter(
                            "ballast.dns.notifies",
                            "NOTIFY messages to other servers, by outcome: acknowledged, failed (no answer after the"
                                    + " last try, or a refusal)",
                            "outcome"),
                    "notifies",
                    DnsCounter.NOTIFIES_ACKNOWLEDGED,
                    DnsCounter.NOTIFIES_FAILED),
            Statistic.metricOnly(
                    Metric.histogram(
                            "ballast.dns.answer.time",
                            "Time from reading a query for a name outside the zones to its answer, from the cache"
                                    + " (cache) or after waiting for a resolver, with or without success (resolver); of"
                                    + " logged queries only: none while dns.query_log is off, and a part with sample",
                            "by"),
                    (source, samples) -> {
                        samples.histogram("cache", source.history().hitTimes());
                        samples.histogram("resolver", source.history().missTimes());
                    }),
            counters(
                    Metric.counter(
                            "ballast.dns.follow.ups",
                            "Address queries for alias targets of services, by outcome: answered (also if there are no"
                                    + " addresses), failed (no answer in time, or an error)",
                            "outcome"),
                    "follow_ups",
                    DnsCounter.FOLLOW_ANSWERED,
                    DnsCounter.FOLLOW_FAILED),
            Statistic.ofLabels(
                    Metric.gauge(
                            "ballast.dns.followed.names",
                            "Alias targets of services, by state: unknown (not answered yet), known, stale (the last"
                                    + " addresses are used; resolvers do not answer or have denied the name once), none"
                                    + " (it has no addresses), failed (no addresses are known); if the two address"
                                    + " families differ, the worse state counts",
                            "state"),
                    "followed_names",
                    ForwardingStatistics::followedNames),
            counters(
                    Metric.counter(
                            "ballast.dns.upstream.questions",
                            "Questions to resolvers, by kind: questions (one for all equal concurrent queries),"
                                    + " refreshes (of these, to renew a cached answer before or after its end), retries"
                                    + " (to another resolver, or repeated), malformed_answers (messages without a usable"
                                    + " answer), out_of_bailiwick (records that were removed because they belong to other"
                                    + " names), subnet_told (of the questions, those with a client subnet), subnet_refused"
                                    + " (repeated without it), subnet_withheld (sent without it, because too many networks"
                                    + " sent the same query at the same time), with_options (of the questions, those with"
                                    + " EDNS options of the client)",
                            "kind"),
                    "upstream_questions",
                    DnsCounter.FORWARD_QUESTIONS,
                    DnsCounter.FORWARD_REFRESHES,
                    DnsCounter.FORWARD_RETRIES,
                    DnsCounter.FORWARD_MALFORMED,
                    DnsCounter.FORWARD_OUT_OF_BAILIWICK,
                    DnsCounter.SUBNETS_TOLD,
                    DnsCounter.SUBNETS_REFUSED,
                    DnsCounter.SUBNETS_WITHHELD,
                    DnsCounter.OPTIONS_FORWARDED),
            Statistic.metricOnly(
                    Metric.counter(
                            "ballast.dns.upstream.events",
                            "Events of the transport to resolvers, by event: udp, tcp, dot, doh (queries sent by this"
                                    + " protocol); answered, failed, timeouts (results of attempts); too_many (attempts"
                                    + " not sent, because too many queries were outstanding); retried (attempts"
                                    + " repeated on a new connection); truncated (responses over UDP); mismatched"
                                    + " (responses that match no question); rewritten (questions sent to the same"
                                    + " resolver again without EDNS, in lower case or with a cookie); silent"
                                    + " (connections replaced because no data arrived after a query); sockets_opened;"
                                    + " connections_opened; errors (defects of Ballast)",
                            "event"),
                    (source, samples) -> source.frontend()
                            .upstreamEvents()
                            .forEach((counter, sum) -> samples.value(counter.label(), sum))),
            counters(
                    Metric.counter(
                            "ballast.dns.validated",
                            "Validated answers from resolvers, by verdict: secure, insecure (need not be signed), bogus"
                                    + " (a required signature is missing or wrong), indeterminate (a key was not"
                                    + " available), dropped (not validated: too many were waiting)",
                            "verdict"),
                    "validated",
                    DnsCounter.VALIDATED_SECURE,
                    DnsCounter.VALIDATED_INSECURE,
                    DnsCounter.VALIDATED_BOGUS,
                    DnsCounter.VALIDATION_FAILED,
                    DnsCounter.VALIDATION_DROPPED),
            Statistic.metricOnly(
                    Metric.counter(
                                    "ballast.dns.validation",
                                    "Time spent on validating the signatures of resolvers' answers")
                            .in("seconds"),
                    (source, samples) -> samples.nanos(source.sum(DnsCounter.VALIDATION_NANOS))),
            Statistic.ofLabels(
                    Metric.counter(
                            "ballast.dns.blocked",
                            "Queries for names outside the zones that a filter list blocked, by list",
                            "list"),
                    "blocked_by_list",
                    (source, samples) ->
                            source.frontend().forwarding().blockedByList().forEach(samples::value)),
            Statistic.ofLabels(
                    Metric.gauge("ballast.dns.rules", "Active rules of a filter list", "list"),
                    "rules_by_list",
                    (source, samples) -> source.frontend()
                            .forwarding()
                            .lists()
                            .forEach(list -> samples.value(list.name(), list.ruleCount()))),
            Statistic.metricOnly(
                    Metric.gauge(
                            "ballast.dns.list.failing",
                            "1 while a filter list cannot be read and its previous rules stay in use",
                            "list"),
                    (source, samples) -> source.frontend()
                            .forwarding()
                            .lists()
                            .forEach(list -> samples.value(
                                    list.name(), list.lastFailure().isPresent() ? 1 : 0))),
            Statistic.metricOnly(
                    Metric.gauge(
                            "ballast.dns.secondary.served",
                            "1 while a secondary zone is served, 0 while it is missing or has expired",
                            "zone"),
                    (source, samples) -> secondaryZones(source)
                            .forEach(zone ->
                                    samples.value(zone.zone(), zone.status() == SecondaryState.Status.SERVED ? 1 : 0))),
            Statistic.metricOnly(
                    Metric.gauge(
                            "ballast.dns.secondary.failures",
                            "Consecutive failed refreshes of a secondary zone",
                            "zone"),
                    (source, samples) ->
                            secondaryZones(source).forEach(zone -> samples.value(zone.zone(), zone.failures()))),
            Statistic.metricOnly(
                    Metric.gauge(
                            "ballast.dns.secondary.serial",
                            "Serial number of the current version of a secondary zone",
                            "zone"),
                    (source, samples) -> secondaryZones(source)
                            .forEach(zone -> zone.serial().ifPresent(serial -> samples.value(zone.zone(), serial)))),
            Statistic.ofValue(
                    Metric.gauge("ballast.dns.waiting", "Queries that currently wait for a resolver"),
                    "waiting",
                    source -> source.frontend().forwarding().permits().inUse()),
            Statistic.ofValue(
                    Metric.gauge("ballast.dns.cache.entries", "Cached answers from resolvers"),
                    source -> cache(source).entries()),
            Statistic.ofValue(
                    Metric.gauge("ballast.dns.cache", "Estimated memory of the cached answers")
                            .in("bytes"),
                    source -> cache(source).bytes()),
            Statistic.ofValue(
                    Metric.gauge("ballast.dns.cache.max", "Memory limit of the cached answers")
                            .in("bytes"),
                    source -> cache(source).maxBytes()),
            Statistic.ofValue( // this value is read before the insertions, so that it never exceeds them
                    Metric.counter(
                            "ballast.dns.cache.evictions",
                            "Cached answers that were evicted to make room for new ones"),
                    source -> cache(source).evictions()),
            Statistic.ofValue(
                    Metric.counter("ballast.dns.cache.insertions", "Answers from resolvers that were cached"),
                    source -> cache(source).insertions()),
            Statistic.metricOnly(
                    Metric.counter(
                            "ballast.dns.logged",
                            "Written entries of the DNS query log and dnstap messages: memory (every logged entry; the"
                                    + " last ones are kept), file, dnstap",
                            "to"),
                    (source, samples) ->
                            source.frontend().queryLog().writtenCounts().forEach(samples::value)),
            Statistic.metricOnly(
                    Metric.counter(
                            "ballast.dns.log.dropped",
                            "Entries that were lost, by place: queue (more came than the log could take), file (it"
                                    + " could not be written), listener (the statistics of the page failed), dnstap_queue"
                                    + " (queries whose messages found no room), dnstap (messages that no reader took, or"
                                    + " that could not be written)",
                            "at"),
                    (source, samples) ->
                            source.frontend().queryLog().droppedCounts().forEach(samples::value)));

    private ForwardingStatistics() {}

    private static void followedNames(DnsReportSource source, SampleConsumer samples) {
        Map<FollowedAddresses.State, Integer> states =
                source.frontend().aliasResolver().states();
        for (FollowedAddresses.State state : FollowedAddresses.State.values()) {
            samples.value(state.name().toLowerCase(Locale.ROOT), states.getOrDefault(state, 0));
        }
    }

    private static Stream<SecondaryState> secondaryZones(DnsReportSource source) {
        return source.frontend().secondaryZones().map(SecondaryZones::states).orElse(List.of()).stream()
                .limit(MAX_ZONES);
    }

    /** Returns the state of the cache; all 0 if there is none. */
    public static CacheStatistics cache(DnsReportSource source) {
        return source.frontend()
                .forwarding()
                .cache()
                .map(AnswerCache::statistics)
                .orElse(NO_CACHE);
    }
}
