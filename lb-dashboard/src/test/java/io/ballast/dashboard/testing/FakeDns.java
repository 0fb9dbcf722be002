package io.ballast.dashboard.testing;

import io.ballast.core.stats.LatencyHistogram;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.source.DnsCacheStats;
import io.ballast.dashboard.source.DnsStatistics;
import java.util.List;
import java.util.Map;

/** A DNS frontend with fixed statistics. */
public final class FakeDns implements DnsStatistics {

    @Override
    public List<String> addresses() {
        return List.of("127.0.0.1:5353");
    }

    @Override
    public long queries() {
        return 12;
    }

    @Override
    public Map<String, Long> queriesByType() {
        return Map.of("A", 9L, "AAAA", 3L);
    }

    @Override
    public Map<String, Long> queriesByTransport() {
        return Map.of("udp", 10L, "tcp", 2L);
    }

    @Override
    public long connectionsOpen() {
        return 1;
    }

    @Override
    public long connectionsAccepted() {
        return 4;
    }

    @Override
    public long httpErrors() {
        return 1;
    }

    @Override
    public Map<String, Long> connectionsLimited() {
        return Map.of("idle", 2L, "evicted", 1L);
    }

    @Override
    public Map<String, Long> responsesByCode() {
        return Map.of("NOERROR", 11L, "NXDOMAIN", 1L);
    }

    /** One cache hit of 20 µs, and no miss. */
    @Override
    public Map<String, LatencySummary> answerTimes() {
        LatencyHistogram hits = new LatencyHistogram();
        hits.record(20_000);
        return Map.of("cache", LatencySummary.of(List.of(hits)), "resolver", LatencySummary.NOTHING);
    }

    @Override
    public Map<String, Map<String, Long>> queriesByZone() {
        return Map.of("a.example", Map.of("noerror", 8L));
    }

    @Override
    public Map<String, Long> queriesByService() {
        return Map.of("app.example.", 7L);
    }

    @Override
    public Map<String, Long> protection() {
        return Map.of("cookies_valid", 2L, "limited_truncated", 1L);
    }

    @Override
    public boolean isForwarding() {
        return true;
    }

    @Override
    public long forwardedQueries() {
        return 8;
    }

    @Override
    public Map<String, Long> forwarded() {
        return Map.of("hit", 5L, "miss", 3L);
    }

    @Override
    public Map<String, Long> upstreamEvents() {
        return Map.of("dot", 0L, "timeouts", 0L);
    }

    @Override
    public Map<String, Long> transfers() {
        return Map.of("whole", 4L, "cut", 1L);
    }

    @Override
    public Map<String, Long> updates() {
        return Map.of("applied", 3L, "unmet", 2L);
    }

    @Override
    public Map<String, Long> notifies() {
        return Map.of("acknowledged", 6L);
    }

    @Override
    public Map<String, Long> followUps() {
        return Map.of("answered", 7L, "failed", 1L);
    }

    @Override
    public Map<String, Long> followedNames() {
        return Map.of("known", 2L);
    }

    @Override
    public Map<String, Long> upstreamQuestions() {
        return Map.of("questions", 3L, "retries", 1L);
    }

    @Override
    public Map<String, Long> validated() {
        return Map.of("secure", 2L, "bogus", 1L);
    }

    @Override
    public long validationNanos() {
        return 1_500_000;
    }

    @Override
    public long waitingQueries() {
        return 2;
    }

    @Override
    public Map<String, Long> blockedByList() {
        return Map.of("ads", 4L);
    }

    @Override
    public Map<String, Long> rulesByList() {
        return Map.of("ads", 1000L);
    }

    @Override
    public Map<String, Long> failingLists() {
        return Map.of("ads", 0L);
    }

    @Override
    public DnsCacheStats cache() {
        return new DnsCacheStats(3, 1024, 65536, 4, 1);
    }

    @Override
    public Map<String, Long> logged() {
        return Map.of("memory", 7L, "file", 0L, "dnstap", 2L);
    }

    @Override
    public Map<String, Long> logDropped() {
        return Map.of("queue", 1L, "file", 0L);
    }

    @Override
    public Map<String, Long> secondaryServed() {
        return Map.of("example.net", 1L);
    }

    @Override
    public Map<String, Long> secondaryFailures() {
        return Map.of("example.net", 2L);
    }

    @Override
    public Map<String, Long> secondarySerials() {
        return Map.of("example.net", 2_026_112_301L);
    }
}
