package io.ballast.dns.net;

import io.ballast.core.watchdog.Heartbeat;
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

    /** Stops serving and closes the sockets. */
    @Override
    void close();
}
