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

    /** Begins to serve; until then, what comes waits in the sockets. A second call does nothing. */
    void start();

    /**
     * Has what waits in the sockets answered, which are then closed; begins with that and returns. {@link #close} waits
     * for its end. Answers that come later have a second to do so.
     */
    void drain();

    /** Returns the sockets for another process; empty if sharing is not supported. */
    List<SharedSocket> shared();

    /**
     * Another process has the sockets, too: ends receiving, with what was received answered. Answers that come later
     * have a second to do so. Returns at once; {@link #close} waits for the end.
     */
    void releaseToSuccessor();

    /** No other process has the sockets any more that were another's: until this they are closed without touching them. */
    default void activate() {}

    /** Stops serving and closes the sockets. Answers that come later are lost. */
    @Override
    void close();
}
