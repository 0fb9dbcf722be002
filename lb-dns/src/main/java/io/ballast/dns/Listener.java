package io.ballast.dns;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.net.stream.StreamAcceptor;
import io.ballast.dns.net.stream.StreamService;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A listener of one configuration.
 *
 * @param sockets where it listens
 * @param acceptor takes its connections on; the same as before if the configuration of an address has changed
 * @param service how its connections are served
 * @param protocol what is spoken on them, and what that takes
 */
record Listener(
        DnsListenerConfig config,
        ListenerSockets sockets,
        StreamAcceptor acceptor,
        StreamService service,
        ListenerProtocol protocol) {

    List<Heartbeat> heartbeats() {
        return sockets.heartbeats();
    }

    List<InetSocketAddress> addresses() {
        return sockets.addresses();
    }
}
