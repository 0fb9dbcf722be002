package io.ballast.dashboard.live;

import io.ballast.dashboard.DnsStats;
import io.ballast.dashboard.ListenerStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The frontends' totals turned into rates. A listener that stays keeps its rate; what one that is gone had counted stays
 * in the totals of the whole.
 */
public final class FrontendRates {

    private static final int CLASSES = 5;

    private final Supplier<List<ListenerStats>> listenerSource;
    private final Supplier<Optional<DnsStats>> dnsSource;
    private final long[] departedResponses = new long[CLASSES + 1];
    private final Departed<ListenerStats> departed =
            new Departed<>(Totals::of, listener -> listener.connectionsOpen() > 0, this::keepResponses);
    private List<ListenerStats> followed = List.of();
    private List<ListenerRate> listeners = List.of();
    private Optional<DnsRate> dns = Optional.empty();

    FrontendRates(Supplier<List<ListenerStats>> listeners, Supplier<Optional<DnsStats>> dns) {
        this.listenerSource = listeners;
        this.dnsSource = dns;
        boolean unused = follow();
    }

    /** Takes over the frontends that there are now; returns whether any came or went. */
    boolean follow() {
        boolean listenersChanged = followListeners(listenerSource.get());
        return followDns(dnsSource.get()) || listenersChanged;
    }

    private boolean followListeners(List<ListenerStats> now) {
        if (now.equals(followed)) {
            return false;
        }
        followed = now;
        Map<String, ListenerRate> known = new HashMap<>();
        listeners.forEach(rate -> known.put(rate.source().name(), rate));
        List<ListenerRate> next = new ArrayList<>();
        for (ListenerStats listener : now) {
            ListenerRate same = known.get(listener.name());
            if (same != null && same.goesOnAs(listener)) {
                same.goOnAs(listener);
                known.remove(listener.name());
                next.add(same);
            } else {
                next.add(new ListenerRate(listener));
            }
        }
        known.values().forEach(rate -> departed.add(rate.source()));
        boolean changed = !next.equals(listeners);
        listeners = List.copyOf(next);
        return changed;
    }

    private boolean followDns(Optional<DnsStats> now) {
        Optional<DnsRate> same = dns.filter(rate -> now.isPresent() && rate.goesOnAs(now.get()));
        if (same.isPresent()) {
            same.get().goOnAs(now.orElseThrow());
            return false;
        }
        boolean changed = dns.isPresent() || now.isPresent();
        dns = now.map(DnsRate::new);
        return changed;
    }

    void sample(long nowNanos) {
        departed.sample();
        listeners.forEach(listener -> listener.sample(nowNanos));
        dns.ifPresent(rate -> rate.sample(nowNanos));
    }

    /** Reads the requests of all listeners' clients as they are now, those of former listeners included. */
    public Totals read() {
        TotalsSum sum = new TotalsSum();
        sum.add(departed.read());
        listeners.forEach(listener -> sum.add(listener.read()));
        return sum.total();
    }

    /** Responses of a class, 1 to 5, to all listeners' clients, those of former listeners included. */
    public long responses(int statusClass) {
        long sum = departedResponses[statusClass];
        for (ListenerStats former : departed.leaving()) {
            sum += former.responses(statusClass);
        }
        for (ListenerRate listener : listeners) {
            sum += listener.source().responses(statusClass);
        }
        return sum;
    }

    public List<ListenerRate> listeners() {
        return listeners;
    }

    public Optional<DnsRate> dns() {
        return dns;
    }

    private void keepResponses(ListenerStats former) {
        for (int statusClass = 1; statusClass <= CLASSES; statusClass++) {
            departedResponses[statusClass] += former.responses(statusClass);
        }
    }
}
