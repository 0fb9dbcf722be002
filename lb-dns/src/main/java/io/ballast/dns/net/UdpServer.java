package io.ballast.dns.net;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.takeover.SharedSocket;
import java.util.List;

/**
 * Serves DNS over UDP on one address until it is closed. It receives the waiting datagrams as a batch,
 * answers each datagram on the thread that received it, and sends the responses of a batch together.
 */
public interface UdpServer extends AutoCloseable {

    /** Returns the heartbeats of the threads that this server owns; none if it runs on event loops. */
    default List<Heartbeat> heartbeats() {
        return List.of();
    }

    /** Starts serving; until then, queries wait in the sockets. Idempotent. */
    void start();

    /**
     * Starts to answer the queries that are queued in the sockets, and then closes the sockets. Returns
     * immediately; {@link #close} waits until the sockets are drained. Deferred answers are sent if they arrive
     * within a second.
     */
    void drain();

    /** Returns the sockets for another process; empty if sharing is not supported. */
    List<SharedSocket> sharedSockets();

    /**
     * Hands the sockets over to another process. Stops receiving, after answering the queries that were already
     * received. Deferred answers are sent if they arrive within a second. Returns immediately; {@link #close}
     * waits until the handover is complete.
     */
    void releaseToSuccessor();

    /**
     * Called when no other process uses the inherited sockets any more. If it was not called, {@link #close} does
     * not read the queries that still wait in these sockets.
     */
    default void activate() {}

    /** Stops serving and closes the sockets. Responses to pending queries are lost. */
    @Override
    void close();
}
