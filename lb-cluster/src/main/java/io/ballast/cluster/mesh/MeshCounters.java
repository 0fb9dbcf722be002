package io.ballast.cluster.mesh;

import java.util.concurrent.atomic.LongAdder;

/** Counts what happens to connections between nodes. Thread-safe. */
public final class MeshCounters {

    private final LongAdder refused = new LongAdder();
    private final LongAdder failedHandshakes = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    void countRefused() {
        refused.increment();
    }

    void countFailedHandshake() {
        failedHandshakes.increment();
    }

    void countDropped() {
        dropped.increment();
    }

    /** Connections that this node refused: another cluster, a name that is not in the certificate, a duplicate name. */
    public long refused() {
        return refused.sum();
    }

    /** TLS handshakes that failed, for example because of a certificate of another authority. */
    public long failedHandshakes() {
        return failedHandshakes.sum();
    }

    /** Messages that were dropped because a node had too many unsent bytes. */
    public long dropped() {
        return dropped.sum();
    }
}
