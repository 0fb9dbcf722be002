package io.ballast.http.connect;

import io.ballast.http.net.DescriptorQueue;

/**
 * Measures for how long a backend has had no connection while requests wait for a descriptor. After {@link
 * DescriptorQueue#INTERVAL}, it is unlikely that these requests get a descriptor. Event-loop confined.
 */
public final class NoConnectionTimer {

    private boolean running;
    private long sinceNanos;

    /** Restarts the measurement, for example because there is or was a connection. */
    public void reset() {
        running = false;
    }

    /**
     * Records whether there is no connection at time {@code now}. Returns whether all calls during the whole interval
     * have reported that there was none.
     */
    public boolean isOver(boolean hasNone, long now) {
        if (!hasNone) {
            running = false;
        } else if (!running) {
            running = true;
            sinceNanos = now;
        }
        return running && now - sinceNanos >= DescriptorQueue.INTERVAL.toNanos();
    }
}
