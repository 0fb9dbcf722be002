package io.ballast.dashboard.testing;

import io.ballast.core.stats.BoundStatistic;
import io.ballast.core.stats.LatencyHistogram;
import io.ballast.core.stats.LatencySummary;
import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.source.DnsCacheStats;
import io.ballast.dashboard.source.DnsStatistics;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A DNS frontend with fixed statistics: one statistic of each form. */
public final class FakeDns implements DnsStatistics {

    private static final List<Statistic<FakeDns>> QUERIES = List.of(
            Statistic.ofLabels(
                    Metric.counter("ballast.dns.queries", "Queries received, by record type", "type"),
                    "queries_by_type",
                    (dns, samples) -> {
                        samples.value("A", 9);
                        samples.value("AAAA", 3);
                    }),
            Statistic.metricOnly(
                    Metric.counter("ballast.dns.zone.queries", "Queries, by zone and outcome", "zone", "outcome"),
                    (dns, samples) -> samples.value("a.example", "noerror", 8)),
            Statistic.metricOnly(
                    Metric.counter("ballast.dns.service.queries", "Queries, by service", "service"),
                    (dns, samples) -> samples.value("app.example.", 7)),
            Statistic.ofValue(Metric.gauge("ballast.dns.connections", "Open connections"), dns -> 1));

    private static final List<Statistic<FakeDns>> FORWARDING = List.of(
            Statistic.ofValue(
                    Metric.counter("ballast.dns.forwarded.queries", "Forwarded queries"),
                    "forwarded_queries",
                    dns -> 8),
            Statistic.ofLabels(
                    Metric.counter("ballast.dns.forwarded", "Forwarded queries, by outcome", "outcome"),
                    "forwarded",
                    (dns, samples) -> {
                        samples.value("hit", 5);
                        samples.value("miss", 3);
                    }),
            Statistic.metricOnly(
                    Metric.histogram("ballast.dns.answer.time", "Time to answer a query", "by"), (dns, samples) -> {
                        samples.histogram("cache", oneHit());
                        samples.histogram("resolver", LatencySummary.NOTHING);
                    }),
            Statistic.metricOnly(
                    Metric.counter("ballast.dns.validation", "Time spent on validation")
                            .in("seconds"),
                    (dns, samples) -> samples.nanos(1_500_000)));

    /** Returns the metrics of all statistics. */
    public static Stream<Metric> metrics() {
        return Stream.of(QUERIES, FORWARDING).flatMap(List::stream).map(Statistic::metric);
    }

    /** Returns a distribution with one cache hit of 20 µs. */
    private static LatencySummary oneHit() {
        LatencyHistogram hits = new LatencyHistogram();
        hits.record(20_000);
        return LatencySummary.of(List.of(hits));
    }

    @Override
    public List<String> addresses() {
        return List.of("127.0.0.1:5353");
    }

    @Override
    public long queries() {
        return 12;
    }

    @Override
    public long serverFailures() {
        return 0;
    }

    @Override
    public List<BoundStatistic<?>> queryStatistics() {
        return Statistic.bindAll(QUERIES, this);
    }

    @Override
    public boolean isForwarding() {
        return true;
    }

    @Override
    public List<BoundStatistic<?>> forwardingStatistics() {
        return Statistic.bindAll(FORWARDING, this);
    }

    @Override
    public DnsCacheStats cache() {
        return new DnsCacheStats(3, 1024, 65536, 4, 1);
    }

    @Override
    public Map<String, Map<String, Long>> queriesByZone() {
        return Map.of("a.example", Map.of("noerror", 8L));
    }

    @Override
    public Map<String, Long> queriesByService() {
        return Map.of("app.example.", 7L);
    }
}
