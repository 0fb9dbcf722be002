package io.ballast.dashboard.live;

import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dashboard.source.ListenerStats;
import io.ballast.dashboard.source.PolicyStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Rates derived from the frontends' totals. A listener that survives a reload keeps its rate; the counters of a removed
 * listener stay in the overall totals.
 */
public final class FrontendRates {

    private static final int STATUS_CLASSES = 5;

    private final Supplier<List<ListenerStats>> listenerSource;
    private final Supplier<Optional<DnsStatistics>> dnsSource;
    private final Supplier<List<PolicyStats>> policySource;
    private final long[] removedResponses = new long[STATUS_CLASSES + 1];
    private final RemovedSources<ListenerStats> removedListeners =
            new RemovedSources<>(Totals::of, listener -> listener.connectionsOpen() > 0, this::addRemovedResponses);
    private List<ListenerStats> currentListeners = List.of();
    private List<ListenerRate> listeners = List.of();
    private Optional<DnsRate> dns = Optional.empty();

    FrontendRates(
            Supplier<List<ListenerStats>> listeners,
            Supplier<Optional<DnsStatistics>> dns,
            Supplier<List<PolicyStats>> policies) {
        this.policySource = policies;
        this.listenerSource = listeners;
        this.dnsSource = dns;
        boolean unused = updateFrontends();
    }

    /** Adopts the current frontends; returns whether a frontend was added or removed. */
    boolean updateFrontends() {
        boolean listenersChanged = updateListeners(listenerSource.get());
        return updateDns(dnsSource.get()) || listenersChanged;
    }

    private boolean updateListeners(List<ListenerStats> now) {
        if (now.equals(currentListeners)) {
            return false;
        }
        currentListeners = now;
        Map<String, ListenerRate> known = new HashMap<>();
        listeners.forEach(rate -> known.put(rate.source().name(), rate));
        List<ListenerRate> next = new ArrayList<>();
        for (ListenerStats listener : now) {
            ListenerRate same = known.get(listener.name());
            if (same != null && same.isContinuedBy(listener)) {
                same.switchTo(listener);
                known.remove(listener.name());
                next.add(same);
            } else {
                next.add(new ListenerRate(listener));
            }
        }
        known.values().forEach(rate -> removedListeners.add(rate.source()));
        boolean changed = !next.equals(listeners);
        listeners = List.copyOf(next);
        return changed;
    }

    private boolean updateDns(Optional<DnsStatistics> now) {
        Optional<DnsRate> same = dns.filter(rate -> now.isPresent() && rate.isContinuedBy(now.get()));
        if (same.isPresent()) {
            same.get().switchTo(now.orElseThrow());
            return false;
        }
        boolean changed = dns.isPresent() || now.isPresent();
        dns = now.map(DnsRate::new);
        return changed;
    }

    void sample(long nowNanos) {
        removedListeners.sample();
        listeners.forEach(listener -> listener.sample(nowNanos));
        dns.ifPresent(rate -> rate.sample(nowNanos));
    }

    /** Returns the current totals of all listeners, including removed ones. */
    public Totals read() {
        TotalsSum sum = new TotalsSum();
        sum.add(removedListeners.read());
        listeners.forEach(listener -> sum.add(listener.read()));
        return sum.total();
    }

    /** Returns the responses of a status class, 1 to 5, over all listeners, including removed ones. */
    public long responses(int statusClass) {
        long sum = removedResponses[statusClass];
        for (ListenerStats former : removedListeners.active()) {
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

    public List<PolicyStats> policies() {
        return policySource.get();
    }

    public Optional<DnsRate> dns() {
        return dns;
    }

    private void addRemovedResponses(ListenerStats former) {
        for (int statusClass = 1; statusClass <= STATUS_CLASSES; statusClass++) {
            removedResponses[statusClass] += former.responses(statusClass);
        }
    }
}
