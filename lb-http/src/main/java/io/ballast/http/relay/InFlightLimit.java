package io.ballast.http.relay;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many exchanges of a listener may run at once.
 *
 * <p>Thread safety: any event loop may call any method.
 */
public final class InFlightLimit {

    private volatile int most;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** @param most exchanges at once; 0 if that is not limited */
    public InFlightLimit(int most) {
        this.most = most;
    }

    /** Another limit for the exchanges that begin from now on; those that began while there was none are not counted. */
    public void most(int exchanges) {
        most = exchanges;
    }

    /** Whether there is a limit, so that each exchange must be counted. */
    boolean isSet() {
        return most > 0;
    }

    /** How many exchanges are counted now. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Counts an exchange that begins; false if there are as many as allowed, and then it is not counted. */
    boolean tryBegin() {
        int limit = most;
        if (inFlight.incrementAndGet() <= limit || limit == 0) {
            return true;
        }
        inFlight.decrementAndGet();
        return false;
    }

    /** An exchange that was counted is over. */
    void end() {
        inFlight.decrementAndGet();
    }
}
