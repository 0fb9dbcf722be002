package io.ballast.dns.forward.upstream;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.HostPort;
import io.ballast.net.tls.ClientTls;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One server and its sockets. Event-loop confined. */
final class UpstreamServer {

    private static final int NO_PORT = -1;
    private static final int HTTPS_PORT = 443;
    private static final long HASH_MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int CELL_BITS = 10;
    private static final int CELL_SHIFT = Long.SIZE - CELL_BITS;

    private final UpstreamLoop loop;
    private final Backend backend;
    private final Set<UpstreamChannel> channels = new HashSet<>();
    private final UdpSockets udp;
    private final StreamConnections tcp;
    private final StreamConnections dot;
    private final StreamConnections doh;
    private final ServerTraits traits;
    /**
     * Outstanding questions by client, in cells selected by a keyed hash; clients in the same cell count as one.
     */
    private final int[] outstandingByClient = new int[1 << CELL_BITS];

    private SocketAddress address;
    private int outstandingCount;
    private boolean draining;

    UpstreamServer(UpstreamLoop loop, Backend backend) {
        this.loop = loop;
        this.backend = backend;
        this.udp = new UdpSockets(loop, this);
        this.tcp = new StreamConnections(loop, backend);
        this.dot = new StreamConnections(loop, backend);
        this.doh = new StreamConnections(loop, backend);
        this.address = backend.socketAddress();
        this.traits = new ServerTraits(backend.address().toString());
    }

    ServerTraits traits() {
        return traits;
    }

    Backend backend() {
        return backend;
    }

    /**
     * Returns whether the server has capacity for one more question of a client. A client may hold at most as
     * many slots as are free, so a single client can hold at most half of all slots. Repeated questions are also
     * limited to half of all slots.
     */
    boolean hasCapacity(UpstreamProtocol protocol, long client, boolean isRepeated) {
        int limit = Math.min(loop.settings().outstandingPerServer(), capacity(protocol));
        int free = (isRepeated ? limit / 2 : limit) - outstandingCount;
        return free > 0 && (client == Upstreams.NO_CLIENT || outstandingByClient[cellIndex(client)] < free);
    }

    private int capacity(UpstreamProtocol protocol) {
        return switch (protocol) {
            case UDP -> Integer.MAX_VALUE; // no limit here: the limit per server is below the capacity of UDP sockets
            case TCP -> tcp.capacity();
            case DOT -> dot.capacity();
            case DOH -> doh.capacity();
        };
    }

    private int cellIndex(long client) {
        return (int) (((client ^ loop.hashKey()) * HASH_MULTIPLIER) >>> CELL_SHIFT);
    }

    boolean isIdle() {
        return outstandingCount == 0;
    }

    int socketCount() {
        return channels.size();
    }

    void onAttemptStarted(long client) {
        outstandingCount++;
        if (client != Upstreams.NO_CLIENT) {
            outstandingByClient[cellIndex(client)]++;
        }
        loop.onAttemptStarted();
    }

    void onAttemptEnded(long client) {
        outstandingCount--;
        if (client != Upstreams.NO_CLIENT) {
            outstandingByClient[cellIndex(client)]--;
        }
        loop.onAttemptEnded();
    }

    void onOpened(UpstreamChannel channel) {
        channels.add(channel);
    }

    void onClosed(UpstreamChannel channel) {
        channels.remove(channel);
    }

    void send(Attempt attempt, UpstreamProtocol protocol) {
        send(attempt, protocol, /* avoidsReused= */ false);
    }

    /** Sends a question on a new connection after its previous connection was lost. */
    void sendOnNewConnection(Attempt attempt, UpstreamProtocol protocol) {
        send(attempt, protocol, /* avoidsReused= */ true);
    }

    private void send(Attempt attempt, UpstreamProtocol protocol, boolean avoidsReused) {
        updateAddress();
        if (!(address instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            attempt.fail(AttemptFailure.UNREACHABLE);
            return;
        }
        switch (protocol) {
            case UDP -> udp.send(attempt, inet);
            case TCP ->
                tcp.send(attempt, avoidsReused, () -> UpstreamStreamConnection.open(loop, this, inet, /* tls= */ null));
            case DOT -> {
                ClientTls tls = tls(protocol);
                dot.updateTls(tls);
                dot.send(attempt, avoidsReused, () -> openDot(inet, tls));
            }
            case DOH -> {
                ClientTls tls = tls(protocol);
                doh.updateTls(tls);
                doh.send(attempt, avoidsReused, () -> openDoh(inet, tls));
            }
        }
        if (draining) {
            retire();
        }
    }

    private @Nullable ClientTls tls(UpstreamProtocol protocol) {
        return loop.settings().tls().find(backend, protocol);
    }

    private @Nullable UpstreamStreamConnection openDot(InetSocketAddress target, @Nullable ClientTls clientTls) {
        SslHandler handler = clientTls == null ? null : newHandler(clientTls);
        return handler == null ? null : UpstreamStreamConnection.open(loop, this, target, handler);
    }

    private @Nullable DohConnection openDoh(InetSocketAddress target, @Nullable ClientTls clientTls) {
        SslHandler handler = clientTls == null ? null : newHandler(clientTls);
        return clientTls == null || handler == null
                ? null
                : DohConnection.open(loop, this, target, handler, authority(clientTls));
    }

    /** Returns the authority of requests, which contains the name that the server's certificate must contain. */
    private String authority(ClientTls clientTls) {
        int port = port();
        HostPort named = new HostPort(clientTls.peerName(backend.address().host()), Math.max(port, 0));
        return port == HTTPS_PORT ? named.bracketedHost() : named.toString();
    }

    private int port() {
        return backend.address() instanceof HostPort inet ? inet.port() : NO_PORT;
    }

    private @Nullable SslHandler newHandler(ClientTls clientTls) {
        try {
            return clientTls.newHandler(
                    PooledByteBufAllocator.DEFAULT, backend.address().host(), port());
        } catch (IllegalStateException e) {
            return null; // a reload has closed these TLS settings and replaced them
        }
    }

    private void updateAddress() {
        SocketAddress current = backend.socketAddress();
        if (!current.equals(address)) {
            address = current;
            retire();
        }
    }

    /** Closes sockets that have expired or whose destination has changed. */
    void sweep() {
        updateAddress();
        updateTls();
        udp.closeExpired();
    }

    /** Stops accepting queries. Pending queries are still answered. */
    void drain() {
        draining = true;
        retire();
    }

    /** Retires connections with outdated TLS settings. */
    void updateTls() {
        dot.updateTls(tls(UpstreamProtocol.DOT));
        doh.updateTls(tls(UpstreamProtocol.DOH));
    }

    private void retire() {
        List.copyOf(channels).forEach(UpstreamChannel::retire);
    }

    /** Fails the outstanding queries of the server's sockets, and closes the sockets. */
    void close() {
        List.copyOf(channels).forEach(channel -> channel.end(AttemptFailure.CLOSED));
    }
}
