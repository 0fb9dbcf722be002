package io.ballast.dashboard.source;

import io.ballast.core.stats.BoundStatistic;
import java.util.List;
import java.util.Map;

/**
 * Statistics of the DNS frontend. Totals never decrease.
 *
 * <p>Called on the dashboard's thread, about once a second; must not block.
 */
public interface DnsStatistics {

    /** Bound addresses, with the real ports. */
    List<String> addresses();

    /** Queries received. */
    long queries();

    /** SERVFAIL responses. */
    long serverFailures();

    /** Statistics of clients' queries, in the order in which they are shown. */
    List<BoundStatistic<?>> queryStatistics();

    /** Returns whether the current configuration forwards names outside the zones. */
    boolean isForwarding();

    /** Statistics of forwarding, zone maintenance and the query log; shown after {@link #queryStatistics}. */
    List<BoundStatistic<?>> forwardingStatistics();

    /** Statistics of the forwarder's cache. */
    DnsCacheStats cache();

    /**
     * Query counts by zone and outcome. Zones beyond a limit are summed as {@code other}. A reload may add and
     * remove zones.
     */
    Map<String, Map<String, Long>> queriesByZone();

    /**
     * Counts of the queries that services answered, by service. Services beyond the limit of {@link
     * #queriesByZone} are summed as {@code other}.
     */
    Map<String, Long> queriesByService();
}
