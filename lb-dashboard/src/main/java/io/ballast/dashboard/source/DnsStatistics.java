package io.ballast.dashboard.source;

import io.ballast.core.stats.LatencySummary;
import java.util.List;
import java.util.Map;

/**
 * Statistics of the DNS frontend. Totals never decrease. The keys of a map become labels and do not change while the
 * process runs.
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

    /** Connections that were closed or refused because of a limit, by reason. */
    Map<String, Long> connectionsLimited();

    /** Responses by response code, such as {@code NOERROR}. */
    Map<String, Long> responsesByCode();

    /** Queries by zone and outcome; zones beyond a limit are summed as {@code other}. A reload may change the zones. */
    Map<String, Map<String, Long>> queriesByZone();

    /** Queries answered by services, by service, with the same limit. */
    Map<String, Long> queriesByService();

    /** Queries that the protection of the frontend counted, by kind. */
    Map<String, Long> protection();

    /** Returns whether names outside the zones are forwarded, as configured now. */
    boolean isForwarding();

    /** Queries for names outside the zones. */
    long forwardedQueries();

    /** Forwarded queries by outcome. A query may have two outcomes, so the sum may exceed {@link #forwardedQueries}. */
    Map<String, Long> forwarded();

    /** Response times of forwarded queries that are logged, by {@code cache} and {@code resolver}. */
    Map<String, LatencySummary> answerTimes();

    /** Zone transfer requests (AXFR, IXFR) by outcome. */
    Map<String, Long> transfers();

    /** UPDATE messages by outcome. */
    Map<String, Long> updates();

    /** NOTIFY messages sent, by outcome. */
    Map<String, Long> notifies();

    /** Lookups of the alias targets of services, by outcome. */
    Map<String, Long> followUps();

    /** Alias targets of services by the state of their addresses. */
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

    /** Written query log entries and dnstap messages, by destination. */
    Map<String, Long> logged();

    /** Dropped query log entries and dnstap messages, by place. */
    Map<String, Long> logDropped();

    /** 1 for each secondary zone that is served, 0 for one that is not; the first thousand zones. */
    Map<String, Long> secondaryServed();

    /** Consecutive refreshes of each secondary zone without a response from any primary. */
    Map<String, Long> secondaryFailures();

    /** Serial of each secondary zone that has been loaded. */
    Map<String, Long> secondarySerials();
}
