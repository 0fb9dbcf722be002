package io.ballast.server;

import io.ballast.dashboard.Readiness;

/** Where the process stands between its start and its end, as load balancers in front of it ask. Thread-safe. */
final class Lifecycle {

    private enum Phase {
        CHECKING,
        SERVING,
        DRAINING
    }

    private volatile Phase phase = Phase.CHECKING;

    /** Every backend was checked once, or has had its time; a shutdown that has begun is not taken back. */
    void serving() {
        if (phase == Phase.CHECKING) {
            phase = Phase.SERVING;
        }
    }

    void draining() {
        phase = Phase.DRAINING;
    }

    Readiness readiness() {
        return switch (phase) {
            case CHECKING -> Readiness.waiting("backends are being checked for the first time");
            case SERVING -> Readiness.READY;
            case DRAINING -> Readiness.waiting("shutting down");
        };
    }
}
