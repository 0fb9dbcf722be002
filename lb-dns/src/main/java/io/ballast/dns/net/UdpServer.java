package io.ballast.dns.net;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.takeover.SharedSocket;
import java.util.List;

/**
 * Serves DNS over UDP on one address until it is closed: takes the datagrams that wait as a batch, answers each on the
 * thread that received it, and sends the responses of a batch together.
 */
public interface UdpServer extends AutoCloseable {

    /** The heartbeats of the threads that only it has; none if it runs on event loops. */
    default List<Heartbeat> heartbeats() {
        return List.of();
    }

    /** Starts serving; until then, queries wait in the sockets. Idempotent. */
    void start();

    /**
     * Starts to answer the queries in the sockets, which are then closed; returns immediately. {@link #close} waits
     * for the end. Answers that come later have a second to do so.
     */
    void drain();

    /** Returns the sockets for another process; empty if sharing is not supported. */
    List<SharedSocket> shared();

    /**
     * Hands the sockets over to another process: stops receiving after answering the received queries. Deferred
     * answers have one second. Returns immediately; {@link #close} waits for the end.
     */
    void releaseToSuccessor();

    /** No other process uses the inherited sockets any more; before this call, close does not read them. */
    default void activate() {}

    /** Stops serving and closes the sockets. Answers that come later are lost. */
    @Override
    void close();
}
