package io.ballast.dashboard.live;

import io.ballast.core.stats.SlidingRate;
import io.ballast.dashboard.DnsStats;
import io.ballast.dashboard.ListenerStats;
import java.util.List;
import java.util.Optional;

/** The frontends' totals turned into rates. */
public final class FrontendRates {

    private static final String FAILURE = "SERVFAIL";

    private final List<ListenerRate> listeners;
    private final Optional<DnsStats> dns;
    private final SlidingRate dnsRate = new SlidingRate();
    private final FloatRing dnsHistory = new FloatRing(History.SECONDS);
    private double dnsQueriesPerSecond;
    private final SlidingRate dnsFailureRate = new SlidingRate();
    private final FloatRing dnsFailureHistory = new FloatRing(History.SECONDS);
    private double dnsFailuresPerSecond;

    FrontendRates(List<ListenerStats> listeners, Optional<DnsStats> dns) {
        this.listeners = listeners.stream().map(ListenerRate::new).toList();
        this.dns = dns;
    }

    void sample(long nowNanos) {
        listeners.forEach(listener -> listener.sample(nowNanos));
        dns.ifPresent(source -> {
            dnsQueriesPerSecond = dnsRate.sample(source.queries(), nowNanos);
            dnsHistory.add(dnsQueriesPerSecond);
            dnsFailuresPerSecond =
                    dnsFailureRate.sample(source.responsesByCode().getOrDefault(FAILURE, 0L), nowNanos);
            dnsFailureHistory.add(dnsFailuresPerSecond);
        });
    }

    /** Reads the requests of all listeners' clients as they are now. */
    public Totals read() {
        TotalsSum sum = new TotalsSum();
        listeners.forEach(listener -> sum.add(listener.read()));
        return sum.total();
    }

    public List<ListenerRate> listeners() {
        return listeners;
    }

    public Optional<DnsStats> dns() {
        return dns;
    }

    public double dnsQueriesPerSecond() {
        return dnsQueriesPerSecond;
    }

    /** DNS queries per second; empty without a DNS frontend. */
    public FloatRing dnsHistory() {
        return dnsHistory;
    }

    /** Answers SERVFAIL per second: what the clients could not be told. */
    public double dnsFailuresPerSecond() {
        return dnsFailuresPerSecond;
    }

    /** The same over time; empty without a DNS frontend. */
    public FloatRing dnsFailureHistory() {
        return dnsFailureHistory;
    }

    /** One listener with its requests per second. */
    public static final class ListenerRate {

        private final ListenerStats source;
        private final SlidingRate rate = new SlidingRate();
        private double rps;

        ListenerRate(ListenerStats source) {
            this.source = source;
        }

        private void sample(long nowNanos) {
            rps = rate.sample(source.requests(), nowNanos);
        }

        /** Reads its clients' requests as they are now. */
        public Totals read() {
            return Totals.of(source);
        }

        public ListenerStats source() {
            return source;
        }

        public double rps() {
            return rps;
        }
    }
}
