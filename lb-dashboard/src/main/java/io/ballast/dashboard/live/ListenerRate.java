package io.ballast.dashboard.live;

import io.ballast.core.stats.SlidingRate;
import io.ballast.dashboard.ListenerStats;

/** One listener with its requests per second. */
public final class ListenerRate {

    private final SlidingRate rate = new SlidingRate();
    private final StatusRate clientErrors = new StatusRate();
    private final StatusRate serverErrors = new StatusRate();
    private ListenerStats source;
    private double rps;

    ListenerRate(ListenerStats source) {
        this.source = source;
    }

    /** Whether {@code next}, of the same name, goes on counting where this one is: what begins anew has fewer. */
    boolean goesOnAs(ListenerStats next) {
        long accepted = source.connectionsAccepted();
        long received = source.requests();
        return next.equals(source) || (next.requests() >= received && next.connectionsAccepted() >= accepted);
    }

    void goOnAs(ListenerStats next) {
        source = next;
    }

    void sample(long nowNanos) {
        rps = rate.sample(source.requests(), nowNanos);
        clientErrors.sample(source.responses(/* statusClass= */ 4), nowNanos);
        serverErrors.sample(source.responses(/* statusClass= */ 5), nowNanos);
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

    /** Responses 4xx, a backend's or the balancer's own. */
    public StatusRate clientErrors() {
        return clientErrors;
    }

    /** Responses 5xx, a backend's or the balancer's own. */
    public StatusRate serverErrors() {
        return serverErrors;
    }
}
