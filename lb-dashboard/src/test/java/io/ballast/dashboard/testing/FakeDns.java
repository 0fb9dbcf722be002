package io.ballast.dashboard.testing;

import io.ballast.dashboard.DnsStats;
import java.util.List;
import java.util.Map;

/** A DNS frontend whose numbers are made up. */
public final class FakeDns implements DnsStats {

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
    public Map<String, Long> responsesByCode() {
        return Map.of("NOERROR", 11L, "NXDOMAIN", 1L);
    }
}
