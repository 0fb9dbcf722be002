package io.ballast.dns.history;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dns.querylog.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@link DnsHistory} knows of the last hours. Immutable.
 *
 * @param since from when on queries are in it: the begin of the time asked for, or of the counting if that is later
 * @param step how long each point is
 * @param outcomes how often each was the outcome, all of them; what got SERVFAIL has failed, also where a resolver said so
 * @param weekBefore outcomes of as many whole hours a week earlier; empty if they were not all counted
 * @param hits how long answers out of the cache took
 * @param misses how long answers took that waited for a resolver, in vain as well
 * @param points oldest first, without gaps
 * @param names asked for most; like the other three, of whole hours, so that up to an hour before {@code since} is in it
 * @param clients that asked most
 * @param blocked names that were blocked most
 * @param lists by how many queries each has blocked
 * @param resolvers by how many queries each has answered
 */
public record HistoryView(
        Instant since,
        Duration step,
        Map<Outcome, Long> outcomes,
        Optional<Map<Outcome, Long>> weekBefore,
        LatencySummary hits,
        LatencySummary misses,
        List<Point> points,
        Top names,
        Top clients,
        Top blocked,
        List<Counted> lists,
        List<Resolver> resolvers) {

    /** What was answered in one step of time from {@code begin} on. */
    public record Point(Instant begin, Map<Outcome, Long> outcomes, LatencySummary hits, LatencySummary misses) {}

    /** How often something came. */
    public record Counted(String name, long count) {}

    /**
     * What came most often, the first most.
     *
     * @param error how much more often than counted each may have come; 0 while there was room for all
     */
    public record Top(List<Counted> items, long error) {}

    /**
     * How a resolver did.
     *
     * @param failures queries that it answered by SERVFAIL or REFUSED, and no other better; those that nobody answered are nobody's
     * @param times how long clients waited for what it answered, other resolvers that were tried before included
     */
    public record Resolver(String name, long failures, LatencySummary times) {}

    /** All queries. */
    public long queries() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }
}
