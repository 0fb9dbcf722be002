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

/** One server, with the sockets to it. Event-loop confined. */
final class UpstreamServer {

    private static final int NO_PORT = -1;
    private static final int HTTPS_PORT = 443;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int CELL_BITS = 10;
    private static final int CELL_SHIFT = Long.SIZE - CELL_BITS;

    private final UpstreamLoop loop;
    private final Backend backend;
    private final Set<UpstreamChannel> lanes = new HashSet<>();
    private final UdpSockets udp;
    private final StreamConnections tcp;
    private final StreamConnections dot;
    private final StreamConnections doh;
    private final ServerTraits traits;
    /** Questions outstanding by client, in cells that a keyed hash chooses; clients that share one count as one. */
    private final int[] held = new int[1 << CELL_BITS];

    private SocketAddress address;
    private int outstanding;
    private boolean forgotten;

    UpstreamServer(UpstreamLoop loop, Backend backend) {
        this.loop = loop;
        this.backend = backend;
        this.udp = new UdpSockets(loop, this);
        this.tcp = new StreamConnections(loop);
        this.dot = new StreamConnections(loop);
        this.doh = new StreamConnections(loop);
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
     * Whether there is a place for one more question of a client. A client may hold as many as are free, so that a
     * single one fills half of them at most; repeated questions may fill half of them, too.
     */
    boolean hasPlace(UpstreamProtocol protocol, long client, boolean isRepeated) {
        int all = Math.min(loop.settings().outstandingPerServer(), capacity(protocol));
        int free = (isRepeated ? all / 2 : all) - outstanding;
        return free > 0 && (client == Upstreams.NO_CLIENT || held[cell(client)] < free);
    }

    private int capacity(UpstreamProtocol protocol) {
        return switch (protocol) {
            case UDP -> Integer.MAX_VALUE; // there are more sockets than places
            case TCP -> tcp.capacity();
            case DOT -> dot.capacity();
            case DOH -> doh.capacity();
        };
    }

    private int cell(long client) {
        return (int) (((client ^ loop.key()) * MULTIPLIER) >>> CELL_SHIFT);
    }

    boolean isIdle() {
        return outstanding == 0;
    }

    int sockets() {
        return lanes.size();
    }

    void started(long client) {
        outstanding++;
        if (client != Upstreams.NO_CLIENT) {
            held[cell(client)]++;
        }
        loop.started();
    }

    void ended(long client) {
        outstanding--;
        if (client != Upstreams.NO_CLIENT) {
            held[cell(client)]--;
        }
        loop.ended();
    }

    void opened(UpstreamChannel lane) {
        lanes.add(lane);
    }

    void closed(UpstreamChannel lane) {
        lanes.remove(lane);
    }

    void send(Attempt attempt, UpstreamProtocol protocol) {
        send(attempt, protocol, /* anew= */ false);
    }

    /** Resends on a new connection the questions lost with another one. */
    void sendAnew(Attempt attempt, UpstreamProtocol protocol) {
        send(attempt, protocol, /* anew= */ true);
    }

    private void send(Attempt attempt, UpstreamProtocol protocol, boolean anew) {
        followAddress();
        if (!(address instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            attempt.fail(AttemptFailure.UNREACHABLE);
            return;
        }
        switch (protocol) {
            case UDP -> udp.send(attempt, inet);
            case TCP -> tcp.send(attempt, anew, () -> UpstreamStreamConnection.open(loop, this, inet, /* tls= */ null));
            case DOT -> {
                ClientTls tls = tls(protocol);
                dot.secure(tls);
                dot.send(attempt, anew, () -> openDot(inet, tls));
            }
            case DOH -> {
                ClientTls tls = tls(protocol);
                doh.secure(tls);
                doh.send(attempt, anew, () -> openDoh(inet, tls));
            }
        }
        if (forgotten) {
            retire();
        }
    }

    private @Nullable ClientTls tls(UpstreamProtocol protocol) {
        return loop.settings().tls().of(backend, protocol);
    }

    private @Nullable UpstreamStreamConnection openDot(InetSocketAddress to, @Nullable ClientTls by) {
        SslHandler handler = by == null ? null : newHandler(by);
        return handler == null ? null : UpstreamStreamConnection.open(loop, this, to, handler);
    }

    private @Nullable DohConnection openDoh(InetSocketAddress to, @Nullable ClientTls by) {
        SslHandler handler = by == null ? null : newHandler(by);
        return by == null || handler == null ? null : DohConnection.open(loop, this, to, handler, authority(by));
    }

    /** The name used to verify the server, because requests are addressed to it. */
    private String authority(ClientTls by) {
        int port = port();
        HostPort named = new HostPort(by.peerName(backend.address().host()), Math.max(port, 0));
        return port == HTTPS_PORT ? named.bracketedHost() : named.toString();
    }

    private int port() {
        return backend.address() instanceof HostPort inet ? inet.port() : NO_PORT;
    }

    private @Nullable SslHandler newHandler(ClientTls by) {
        try {
            return by.newHandler(
                    PooledByteBufAllocator.DEFAULT, backend.address().host(), port());
        } catch (IllegalStateException e) {
            return null; // closed: a reload has replaced it
        }
    }

    private void followAddress() {
        SocketAddress now = backend.socketAddress();
        if (!now.equals(address)) {
            address = now;
            retire();
        }
    }

    /** Closes sockets that have another destination now, or have expired. */
    void sweep() {
        followAddress();
        followTls();
        udp.sweep();
    }

    /** Accepts no more queries. Pending ones are still answered. */
    void forget() {
        forgotten = true;
        retire();
    }

    /** Retires connections with outdated TLS settings. */
    void followTls() {
        dot.secure(tls(UpstreamProtocol.DOT));
        doh.secure(tls(UpstreamProtocol.DOH));
    }

    private void retire() {
        List.copyOf(lanes).forEach(UpstreamChannel::retire);
    }

    /** Fails the outstanding queries of its sockets, and closes them. */
    void close() {
        List.copyOf(lanes).forEach(lane -> lane.end(AttemptFailure.CLOSED));
    }
}
