package io.ballast.http.connect;

import io.ballast.http.net.DescriptorQueue;

/**
 * Measures for how long a backend has had no connection while requests wait for a descriptor. After {@link
 * DescriptorQueue#INTERVAL}, it is unlikely that they get one. Event-loop confined.
 */
public final class NoConnectionTimer {

    private boolean running;
    private long sinceNanos;

    /** Records that there is or was a connection. */
    public void reset() {
        running = false;
    }

    /**
     * Records whether there is no connection at time {@code now}. Returns whether there has been none for the whole
     * interval, as far as it was recorded.
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
