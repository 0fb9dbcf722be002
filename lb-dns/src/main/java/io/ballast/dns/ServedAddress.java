package io.ballast.dns;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.net.UdpServer;
import io.ballast.net.listen.ListeningPort;
import io.ballast.net.takeover.SharedSocket;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of one address of a listener.
 *
 * @param udp the UDP server; null if the listener serves streams only
 */
record ServedAddress(@Nullable UdpServer udp, ListeningPort streams) implements AutoCloseable {

    List<Heartbeat> heartbeats() {
        return udp == null ? List.of() : udp.heartbeats();
    }

    /** The sockets, for another process to inherit. */
    Stream<SharedSocket> sharedSockets() {
        return Stream.concat(
                streams.sharedSockets().stream(), udp == null ? Stream.empty() : udp.sharedSockets().stream());
    }

    /**
     * Called when another process has inherited the sockets. Stops accepting queries and waits until the stream
     * socket is closed. Open connections stay open.
     */
    void releaseToSuccessor() {
        streams.close();
        if (udp != null) {
            udp.releaseToSuccessor();
        }
    }

    /** Waits until the datagram sockets are closed, after {@link #releaseToSuccessor}. */
    void awaitSocketsClosed() {
        if (udp != null) {
            udp.close();
        }
    }

    /** Called when no other process uses the sockets any more. */
    void activate() {
        if (udp != null) {
            udp.activate();
        }
    }

    /** Starts to serve. Before this call, queries and connections wait in the sockets. */
    void start() {
        if (udp != null) {
            udp.start();
        }
        streams.accept();
    }

    /** Answers the queries that wait in the sockets, then closes them. Connections stay open. Returns immediately. */
    void drain() {
        streams.stop();
        if (udp != null) {
            udp.drain();
        }
    }

    /** Closes the sockets, or waits until they are drained. Open connections stay open. */
    @Override
    public void close() {
        streams.close();
        if (udp != null) {
            udp.close();
        }
    }
}
