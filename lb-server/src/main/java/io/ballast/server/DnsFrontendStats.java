package io.ballast.server;

import io.ballast.dashboard.DnsStats;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.stats.DnsCounter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shows the DNS frontend's counters to the dashboard. */
record DnsFrontendStats(DnsFrontend frontend) implements DnsStats {

    private static final List<DnsCounter> CODES = List.of(
            DnsCounter.NOERROR,
            DnsCounter.FORMERR,
            DnsCounter.SERVFAIL,
            DnsCounter.NXDOMAIN,
            DnsCounter.NOTIMP,
            DnsCounter.REFUSED,
            DnsCounter.BADVERS);

    @Override
    public List<String> addresses() {
        return frontend.addresses().stream()
                .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
                .toList();
    }

    @Override
    public long queries() {
        return frontend.stats().sum(DnsCounter.QUERIES_UDP) + frontend.stats().sum(DnsCounter.QUERIES_TCP);
    }

    @Override
    public Map<String, Long> queriesByType() {
        return Map.of(
                "A", frontend.stats().sum(DnsCounter.TYPE_A),
                "AAAA", frontend.stats().sum(DnsCounter.TYPE_AAAA),
                "other", frontend.stats().sum(DnsCounter.TYPE_OTHER));
    }

    @Override
    public Map<String, Long> responsesByCode() {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (DnsCounter counter : CODES) {
            sums.put(counter.label().toUpperCase(Locale.ROOT), frontend.stats().sum(counter));
        }
        return sums;
    }
}
