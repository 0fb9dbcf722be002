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

    /** Statistics of clients' queries, in order. */
    List<BoundStatistic<?>> queryStatistics();

    /** Returns whether the current configuration forwards names outside the zones. */
    boolean isForwarding();

    /** The statistics that follow the previous ones: forwarding, zone maintenance and the query log. */
    List<BoundStatistic<?>> forwardingStatistics();

    /** Statistics of the forwarder's cache. */
    DnsCacheStats cache();

    /**
     * Queries by zone and outcome; further zones beyond a limit are summed as {@code other}. A reload may change
     * zones.
     */
    Map<String, Map<String, Long>> queriesByZone();

    /** Queries answered by services, by service; services beyond the same limit are summed as {@code other}. */
    Map<String, Long> queriesByService();
}
