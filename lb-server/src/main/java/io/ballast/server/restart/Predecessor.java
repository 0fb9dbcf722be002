package io.ballast.server.restart;

import io.ballast.net.takeover.SharedSocket;
import java.util.List;
import java.util.Set;

/**
 * The part of this process that serves traffic and, during a restart, hands over to another process. Called
 * by one thread.
 */
public interface Predecessor {

    /** The listening sockets that are handed over to the other process. */
    List<SharedSocket> sharedSockets();

    /**
     * The TCP ports on which no process listens for a moment when this process stops, because their sockets
     * cannot be handed over.
     */
    Set<Integer> vacatedPorts();

    /**
     * Blocks changes, because another process is about to read the state.
     *
     * @throws IllegalStateException if sockets cannot be handed over; the message states the reason, and nothing has
     *     changed
     */
    void blockChanges();

    /** Allows changes again, because the process that should have read the state has failed. */
    void allowChanges();

    /**
     * Stops accepting connections, because another process serves on the same sockets, and releases all resources that
     * only one process may hold. Requests in flight continue; this method does not wait for them.
     */
    void release();
}
