package io.ballast.http.relay;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the concurrent exchanges of a listener.
 *
 * <p>Thread safety: any event loop may call any method.
 */
public final class InFlightLimit {

    private volatile int max;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** @param max the limit; 0 for none */
    public InFlightLimit(int max) {
        this.max = max;
    }

    /** Sets the limit for new exchanges; exchanges started while there was no limit are not counted. */
    public void max(int exchanges) {
        max = exchanges;
    }

    /** Whether there is a limit, so that exchanges must be counted. */
    boolean isSet() {
        return max > 0;
    }

    /** The number of counted exchanges. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Counts a new exchange. If the limit is reached, returns false and does not count it. */
    boolean tryBegin() {
        int limit = max;
        if (inFlight.incrementAndGet() <= limit || limit == 0) {
            return true;
        }
        inFlight.decrementAndGet();
        return false;
    }

    /** Ends a counted exchange. */
    void end() {
        inFlight.decrementAndGet();
    }
}
