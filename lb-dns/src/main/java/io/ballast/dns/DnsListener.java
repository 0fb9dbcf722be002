package io.ballast.dns;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.net.stream.StreamAcceptor;
import io.ballast.dns.net.stream.StreamService;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A listener and the parts that serve it.
 *
 * @param sockets the listening sockets
 * @param acceptor acceptor of connections; if a changed listener takes over the sockets, it keeps this acceptor
 * @param service settings of accepted connections
 * @param protocol protocol of accepted connections, with the TLS certificate
 */
record DnsListener(
        DnsListenerConfig config,
        ListenerSockets sockets,
        StreamAcceptor acceptor,
        StreamService service,
        DnsListenerProtocol protocol) {

    List<Heartbeat> heartbeats() {
        return sockets.heartbeats();
    }

    List<InetSocketAddress> addresses() {
        return sockets.addresses();
    }
}
