package io.ballast.cluster.mesh;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the connections between nodes. Thread-safe. */
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

    /**
     * Connections that this node or the other node refused, for example because the cluster names differ, or because a
     * node name is a duplicate or missing in the certificate.
     */
    public long refused() {
        return refused.sum();
    }

    /** TLS handshakes that failed, for example because of a certificate of another authority. */
    public long failedHandshakes() {
        return failedHandshakes.sum();
    }

    /** Messages that were dropped because too many unsent bytes waited for the receiving node. */
    public long dropped() {
        return dropped.sum();
    }
}
