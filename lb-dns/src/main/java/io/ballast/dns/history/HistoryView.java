package io.ballast.dns.history;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dns.querylog.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The statistics of the last hours from {@link DnsHistory}. Immutable.
 *
 * @param since start of the data: the start of the requested period, or the start of counting if that is later
 * @param step length of each point
 * @param outcomes number of queries by outcome, with all outcomes; SERVFAIL counts as a failure, even if a resolver
 *     sent it
 * @param outcomesWeekBefore outcomes of the same number of whole hours a week earlier; empty if not all of these hours
 *     were counted
 * @param hits response times of cache hits
 * @param misses response times of queries that waited for a resolver, including failures
 * @param points points in time order, without gaps
 * @param names most queried names; like the following lists, they cover whole hours, so they include up to an hour
 *     before {@code since}
 * @param clients most active clients
 * @param blockedNames most blocked names
 * @param lists filter lists, ordered by the number of queries that they blocked, the highest number first
 * @param resolvers resolvers, ordered by the number of queries that they answered, the highest number first
 */
public record HistoryView(
        Instant since,
        Duration step,
        Map<Outcome, Long> outcomes,
        Optional<Map<Outcome, Long>> outcomesWeekBefore,
        LatencySummary hits,
        LatencySummary misses,
        List<Point> points,
        Top names,
        Top clients,
        Top blockedNames,
        List<Counted> lists,
        List<Resolver> resolvers) {

    /** The statistics of one time interval, which starts at {@code begin}. */
    public record Point(Instant begin, Map<Outcome, Long> outcomes, LatencySummary hits, LatencySummary misses) {}

    /** A name with its count. */
    public record Counted(String name, long count) {}

    /**
     * The most frequent items, in descending order.
     *
     * @param error maximum undercount of each item; 0 as long as there was a counter for every item
     */
    public record Top(List<Counted> items, long error) {}

    /**
     * The statistics of a resolver.
     *
     * @param failures queries whose final answer was SERVFAIL or REFUSED from this resolver; unanswered queries are not
     *     assigned to a resolver
     * @param times time that clients waited for answers from this resolver, including attempts at other resolvers
     */
    public record Resolver(String name, long failures, LatencySummary times) {}

    /** The total number of queries. */
    public long queries() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }
}
