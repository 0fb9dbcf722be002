package io.ballast.http.h2.client;

import io.ballast.net.loop.FrontendLoop;

/**
 * The time of a client's connection, which stands still while the connection takes nothing. Meanwhile what a stream sent may
 * not have arrived, and what its client sent is not read, so no stream is to blame; the connection as a whole has a deadline
 * of its own then. Event-loop confined.
 */
final class ConnectionClock {

    private final FrontendLoop loop;
    private boolean stands;
    private long stoodSinceNanos;
    private long stoodNanos;

    ConnectionClock(FrontendLoop loop) {
        this.loop = loop;
    }

    /** Nanoseconds; two of its times differ by how long the connection took something in between. */
    long now() {
        return (stands ? stoodSinceNanos : loop.now()) - stoodNanos;
    }

    /** Whether the connection takes something has changed, perhaps. */
    void runs(boolean does) {
        if (does == !stands) {
            return;
        }
        if (does) {
            stoodNanos += loop.now() - stoodSinceNanos;
        } else {
            stoodSinceNanos = loop.now();
        }
        stands = !does;
    }
}
