package io.ballast.dashboard.live;

import io.ballast.core.stats.SlidingRate;
import io.ballast.dashboard.source.ListenerStats;

/** One listener with its request rate. */
public final class ListenerRate {

    private final SlidingRate rate = new SlidingRate();
    private final StatusRate clientErrors = new StatusRate();
    private final StatusRate serverErrors = new StatusRate();
    private ListenerStats source;
    private double rps;

    ListenerRate(ListenerStats source) {
        this.source = source;
    }

    /**
     * Returns whether {@code next}, a listener with the same name, continues the counters of this source. If its
     * counters are lower, the listener has restarted.
     */
    boolean isContinuedBy(ListenerStats next) {
        long accepted = source.connectionsAccepted();
        long received = source.requests();
        return next.equals(source) || (next.requests() >= received && next.connectionsAccepted() >= accepted);
    }

    void switchTo(ListenerStats next) {
        source = next;
    }

    void sample(long nowNanos) {
        rps = rate.sample(source.requests(), nowNanos);
        clientErrors.sample(source.responses(/* statusClass= */ 4), nowNanos);
        serverErrors.sample(source.responses(/* statusClass= */ 5), nowNanos);
    }

    /** Returns the current totals of the requests that clients sent to this listener. */
    public Totals read() {
        return Totals.of(source);
    }

    public ListenerStats source() {
        return source;
    }

    public double rps() {
        return rps;
    }

    /** 4xx responses from backends or from the balancer itself. */
    public StatusRate clientErrors() {
        return clientErrors;
    }

    /** 5xx responses from backends or from the balancer itself. */
    public StatusRate serverErrors() {
        return serverErrors;
    }
}
