package io.ballast.http.multiplex;

import io.ballast.net.loop.FrontendLoop;

/**
 * The clock of a client connection, which stops while the connection is not writable. During that time, data that was
 * sent may still be in transit, and input is not read. Stopping the clock prevents timeouts of the streams; the
 * connection has its own deadline. Event-loop confined.
 */
public final class ConnectionClock {

    private final FrontendLoop loop;
    private boolean stopped;
    private long stoppedAtNanos;
    private long totalStoppedNanos;

    public ConnectionClock(FrontendLoop loop) {
        this.loop = loop;
    }

    /** Returns the time in nanoseconds. Differences count only the time in which the connection was writable. */
    long now() {
        return (stopped ? stoppedAtNanos : loop.now()) - totalStoppedNanos;
    }

    /** Starts or stops the clock; no effect if its state is unchanged. */
    public void setRunning(boolean does) {
        if (does == !stopped) {
            return;
        }
        if (does) {
            totalStoppedNanos += loop.now() - stoppedAtNanos;
        } else {
            stoppedAtNanos = loop.now();
        }
        stopped = !does;
    }
}
