package io.ballast.dashboard.source;

import io.ballast.core.stats.LatencySummary;
import java.util.List;
import java.util.Map;

/**
 * Statistics of the DNS frontend. Totals never decrease. The keys of a map become metric labels and do not
 * change while the process runs.
 *
 * <p>Called on the dashboard's thread, about once a second; must not block.
 */
public interface DnsStatistics {

    /** Bound addresses, with the real ports. */
    List<String> addresses();

    /** Queries received. */
    long queries();

    /** Queries by record type, such as {@code A}; rare types are counted as {@code other}. */
    Map<String, Long> queriesByType();

    /** Queries by transport, such as {@code udp}. */
    Map<String, Long> queriesByTransport();

    /** Open connections. */
    long connectionsOpen();

    /** Accepted connections. */
    long connectionsAccepted();

    /** DNS-over-HTTPS requests that got an HTTP error. */
    long httpErrors();

    /** Connections that were closed or refused because a limit was reached, by reason. */
    Map<String, Long> connectionsLimited();

    /** Responses by response code, such as {@code NOERROR}. */
    Map<String, Long> responsesByCode();

    /**
     * Queries by zone and outcome; further zones beyond a limit are summed as {@code other}. A reload may change
     * zones.
     */
    Map<String, Map<String, Long>> queriesByZone();

    /** Queries answered by services, by service; services beyond the same limit are summed as {@code other}. */
    Map<String, Long> queriesByService();

    /** Queries that a protection mechanism of the frontend detected, by kind. */
    Map<String, Long> protection();

    /** Returns whether the current configuration forwards names outside the zones. */
    boolean isForwarding();

    /** Queries for names outside the zones. */
    long forwardedQueries();

    /** Forwarded queries by outcome. A query may have two outcomes, so the sum may exceed {@link #forwardedQueries}. */
    Map<String, Long> forwarded();

    /** Response times of the forwarded queries that were logged, by {@code cache} and {@code resolver}. */
    Map<String, LatencySummary> answerTimes();

    /** Zone transfer requests (AXFR, IXFR) by outcome. */
    Map<String, Long> transfers();

    /** UPDATE messages by outcome. */
    Map<String, Long> updates();

    /** NOTIFY messages sent, by outcome. */
    Map<String, Long> notifies();

    /** Address lookups for the alias targets of services, by outcome, such as answered or failed. */
    Map<String, Long> followUps();

    /** Number of alias targets of services by the state of their addresses, such as known or stale. */
    Map<String, Long> followedNames();

    /** Queries to upstream resolvers, by kind. */
    Map<String, Long> upstreamQuestions();

    /** Transport events of upstream resolvers, by kind. */
    Map<String, Long> upstreamEvents();

    /** Validated upstream answers, by verdict. */
    Map<String, Long> validated();

    /** Total validation time. */
    long validationNanos();

    /** Queries that are waiting for an upstream resolver. */
    long waitingQueries();

    /** Blocked queries by rule list. A reload may change the lists. */
    Map<String, Long> blockedByList();

    /** Number of rules by rule list. */
    Map<String, Long> rulesByList();

    /** 1 for each rule list whose last refresh failed, 0 for the others. */
    Map<String, Long> failingLists();

    /** Statistics of the forwarder's cache. */
    DnsCacheStats cache();

    /** Query log entries and dnstap messages that were written, by destination. */
    Map<String, Long> logged();

    /** Query log entries and dnstap messages that were dropped, by the place where they were dropped. */
    Map<String, Long> logDropped();

    /** For each of the first thousand secondary zones, 1 if the zone is served, otherwise 0. */
    Map<String, Long> secondaryServed();

    /** Number of consecutive refreshes of each secondary zone in which no primary responded. */
    Map<String, Long> secondaryFailures();

    /** Serial of each secondary zone that has been loaded. */
    Map<String, Long> secondarySerials();
}
