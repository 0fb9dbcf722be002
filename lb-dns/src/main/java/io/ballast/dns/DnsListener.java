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
 * @param sockets its listening sockets
 * @param acceptor acceptor of its connections; reused when only the configuration of the address changes
 * @param service settings of its connections
 * @param protocol protocol of its connections, with the certificate
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
