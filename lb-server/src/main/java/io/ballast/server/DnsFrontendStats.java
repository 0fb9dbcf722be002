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

    private static final List<DnsCounter> TRANSPORTS =
            List.of(DnsCounter.QUERIES_UDP, DnsCounter.QUERIES_TCP, DnsCounter.QUERIES_DOT, DnsCounter.QUERIES_DOH);

    private static final List<DnsCounter> LIMITS = List.of(
            DnsCounter.CLIENT_LIMIT,
            DnsCounter.EVICTED,
            DnsCounter.IDLE,
            DnsCounter.SLOW_SENDER,
            DnsCounter.SLOW_READER,
            DnsCounter.PROXY_REFUSED,
            DnsCounter.TLS_FAILED,
            DnsCounter.NOT_ACCEPTED);

    private static final List<DnsCounter> CODES = List.of(
            DnsCounter.NOERROR,
            DnsCounter.FORMERR,
            DnsCounter.SERVFAIL,
            DnsCounter.NXDOMAIN,
            DnsCounter.NOTIMP,
            DnsCounter.REFUSED,
            DnsCounter.YXDOMAIN,
            DnsCounter.BADVERS,
            DnsCounter.BADCOOKIE);

    private static final List<DnsCounter> PROTECTION = List.of(
            DnsCounter.COOKIES_VALID,
            DnsCounter.COOKIES_BAD,
            DnsCounter.LIMITED_TRUNCATED,
            DnsCounter.LIMITED_DROPPED,
            DnsCounter.RESPONSES_RECEIVED,
            DnsCounter.SUSPICIOUS_PORTS,
            DnsCounter.MALFORMED,
            DnsCounter.SIGNED,
            DnsCounter.SIGNATURES_REFUSED);

    @Override
    public List<String> addresses() {
        return frontend.addresses().stream()
                .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
                .toList();
    }

    @Override
    public long queries() {
        return queriesByTransport().values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public Map<String, Long> queriesByType() {
        return Map.of(
                "A", frontend.stats().sum(DnsCounter.TYPE_A),
                "AAAA", frontend.stats().sum(DnsCounter.TYPE_AAAA),
                "other", frontend.stats().sum(DnsCounter.TYPE_OTHER));
    }

    @Override
    public Map<String, Long> queriesByTransport() {
        return sums(TRANSPORTS);
    }

    @Override
    public long connectionsOpen() {
        // Closed ones first: of those that open and close meanwhile, none is then counted as closed alone.
        long closed = frontend.stats().sum(DnsCounter.CONNECTIONS_CLOSED);
        return frontend.stats().sum(DnsCounter.CONNECTIONS) - closed;
    }

    @Override
    public long connectionsAccepted() {
        return frontend.stats().sum(DnsCounter.CONNECTIONS);
    }

    @Override
    public long httpErrors() {
        return frontend.stats().sum(DnsCounter.HTTP_ERRORS);
    }

    @Override
    public Map<String, Long> connectionsLimited() {
        return sums(LIMITS);
    }

    @Override
    public Map<String, Long> responsesByCode() {
        Map<String, Long> sums = new LinkedHashMap<>();
        sums(CODES).forEach((code, sum) -> sums.put(code.toUpperCase(Locale.ROOT), sum));
        return sums;
    }

    private Map<String, Long> sums(List<DnsCounter> counters) {
        Map<String, Long> sums = new LinkedHashMap<>();
        counters.forEach(counter -> sums.put(counter.label(), frontend.stats().sum(counter)));
        return sums;
    }

    @Override
    public Map<String, Long> protection() {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (DnsCounter counter : PROTECTION) {
            sums.put(counter.label(), frontend.stats().sum(counter));
        }
        return sums;
    }
}
