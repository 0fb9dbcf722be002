package io.ballast.server.compose;

import io.ballast.core.stats.BoundStatistic;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.source.DnsCacheStats;
import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.forward.cache.CacheStatistics;
import io.ballast.dns.report.DnsReportSource;
import io.ballast.dns.report.ForwardingStatistics;
import io.ballast.dns.report.QueryStatistics;
import io.ballast.dns.stats.DnsCounter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shows the DNS frontend's counters to the dashboard.
 *
 * @param isForwarding whether the frontend's configuration enables forwarding
 */
record DnsFrontendStats(DnsReportSource source, boolean isForwarding) implements DnsStatistics {

    @Override
    public List<String> addresses() {
        return frontend().addresses().stream()
                .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
                .toList();
    }

    @Override
    public long queries() {
        return QueryStatistics.queries(source);
    }

    @Override
    public long serverFailures() {
        return source.sum(DnsCounter.SERVFAIL);
    }

    @Override
    public List<BoundStatistic<?>> queryStatistics() {
        return Statistic.bindAll(QueryStatistics.ALL, source);
    }

    @Override
    public List<BoundStatistic<?>> forwardingStatistics() {
        return Statistic.bindAll(ForwardingStatistics.ALL, source);
    }

    @Override
    public Map<String, Map<String, Long>> queriesByZone() {
        Map<String, Map<String, Long>> byZone = new LinkedHashMap<>();
        frontend().zones().stats().queriesByZone().forEach((zone, outcomes) -> {
            Map<String, Long> byOutcome = new LinkedHashMap<>();
            outcomes.forEach((outcome, queries) -> byOutcome.put(outcome.label(), queries));
            byZone.put(zone, byOutcome);
        });
        return byZone;
    }

    @Override
    public Map<String, Long> queriesByService() {
        return frontend().zones().stats().queriesByService();
    }

    @Override
    public DnsCacheStats cache() {
        CacheStatistics cache = ForwardingStatistics.cache(source);
        return new DnsCacheStats(
                cache.entries(), cache.bytes(), cache.maxBytes(), cache.insertions(), cache.evictions());
    }

    private DnsFrontend frontend() {
        return source.frontend();
    }
}
