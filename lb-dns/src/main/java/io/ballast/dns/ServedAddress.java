package io.ballast.dns;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.net.UdpServer;
import io.ballast.net.listen.ListeningPort;
import io.ballast.net.takeover.SharedSocket;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What serves one address of a listener.
 *
 * @param udp null if the listener takes connections alone
 */
record ServedAddress(@Nullable UdpServer udp, ListeningPort streams) implements AutoCloseable {

    List<Heartbeat> heartbeats() {
        return udp == null ? List.of() : udp.heartbeats();
    }

    /** Its sockets, as another process may go on with them. */
    Stream<SharedSocket> shared() {
        return Stream.concat(streams.shared().stream(), udp == null ? Stream.empty() : udp.shared().stream());
    }

    /** Another process has the sockets, too: takes nothing new in. Connections that are open stay so. Waits for connections. */
    void leaveToOther() {
        streams.close();
        if (udp != null) {
            udp.leaveToOther();
        }
    }

    /** Waits until the sockets for datagrams are closed, after {@link #leaveToOther}. */
    void awaitLeft() {
        if (udp != null) {
            udp.close();
        }
    }

    /** No other process has the sockets any more. */
    void takeCharge() {
        if (udp != null) {
            udp.takeCharge();
        }
    }

    /** Begins to serve; until then clients wait. */
    void start() {
        if (udp != null) {
            udp.start();
        }
        streams.accept();
    }

    /** Answers what waits in the sockets and closes them; connections that are open stay so. Returns at once. */
    void drain() {
        streams.stop();
        if (udp != null) {
            udp.drain();
        }
    }

    /** Stops serving, or waits until it is drained; connections that are open stay so. */
    @Override
    public void close() {
        streams.close();
        if (udp != null) {
            udp.close();
        }
    }
}
