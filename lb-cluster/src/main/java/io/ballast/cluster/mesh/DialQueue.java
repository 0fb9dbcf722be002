package io.ballast.cluster.mesh;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * Limits how many connections a node opens at a time. When 50 nodes start together, each needs 49 connections; all TLS
 * handshakes at once would take longer than their timeout. Addresses with fewer failures come first. A node has two
 * queues: one for nodes that have opened a connection to this node, and one for all other addresses. Addresses of the
 * second queue may be unreachable, and must not delay the connections of the first queue. Confined to the mesh thread.
 */
final class DialQueue {

    /** The number of connections that are opened at the same time. */
    static final int MAX_DIALING = 4;

    private record Waiting(Runnable dial, int failures, long order) {}

    private final Queue<Waiting> waiting =
            new PriorityQueue<>(Comparator.comparingInt(Waiting::failures).thenComparingLong(Waiting::order));
    private int dialing;
    private long order;

    /**
     * Runs {@code dial} when it is its turn, possibly before this method returns. The caller must call {@link #end}
     * when the connection is ready or lost.
     *
     * @param failures how often the address failed since it was last connected
     */
    void request(Runnable dial, int failures) {
        waiting.add(new Waiting(dial, failures, order++));
        serve();
    }

    /** Withdraws a request, and returns whether it was waiting. */
    boolean withdraw(Runnable dial) {
        return waiting.removeIf(each -> each.dial().equals(dial));
    }

    /** Ends the turn of a connection that is ready or lost. */
    void end() {
        dialing--;
        serve();
    }

    private void serve() {
        while (dialing < MAX_DIALING) {
            Waiting next = waiting.poll();
            if (next == null) {
                return;
            }
            dialing++;
            next.dial().run();
        }
    }
}
