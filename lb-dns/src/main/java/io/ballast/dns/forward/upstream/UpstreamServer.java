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

    private final UpstreamLoop loop;
    private final Backend backend;
    private final Set<Lane> lanes = new HashSet<>();
    private final UdpSockets udp;
    private final StreamConnections tcp;
    private final StreamConnections dot;
    private SocketAddress address;
    private int outstanding;
    private boolean forgotten;

    UpstreamServer(UpstreamLoop loop, Backend backend) {
        this.loop = loop;
        this.backend = backend;
        this.udp = new UdpSockets(loop, this);
        this.tcp = new StreamConnections(loop);
        this.dot = new StreamConnections(loop);
        this.address = backend.socketAddress();
    }

    Backend backend() {
        return backend;
    }

    boolean isFull() {
        return outstanding >= loop.settings().outstandingPerServer();
    }

    boolean isIdle() {
        return outstanding == 0;
    }

    int sockets() {
        return lanes.size();
    }

    void begun() {
        outstanding++;
        loop.begun();
    }

    void ended() {
        outstanding--;
        loop.ended();
    }

    void opened(Lane lane) {
        lanes.add(lane);
    }

    void closed(Lane lane) {
        lanes.remove(lane);
    }

    void send(Attempt attempt, UpstreamProtocol protocol) {
        send(attempt, protocol, /* anew= */ false);
    }

    /** Sends on a new connection what was lost with another one. */
    void sendAnew(Attempt attempt, boolean secured) {
        send(attempt, secured ? UpstreamProtocol.DOT : UpstreamProtocol.TCP, /* anew= */ true);
    }

    private void send(Attempt attempt, UpstreamProtocol protocol, boolean anew) {
        followAddress();
        if (!(address instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            attempt.fail(AttemptFailure.UNREACHABLE);
            return;
        }
        switch (protocol) {
            case UDP -> udp.send(attempt, inet);
            case TCP -> tcp.send(attempt, anew, () -> StreamConnection.open(loop, this, inet, /* tls= */ null));
            case DOT -> dot.send(attempt, anew, () -> openSecured(inet));
        }
        if (forgotten) {
            retire();
        }
    }

    private @Nullable StreamConnection openSecured(InetSocketAddress to) {
        SslHandler tls =
                loop.settings().tls().apply(backend).map(this::newHandler).orElse(null);
        return tls == null ? null : StreamConnection.open(loop, this, to, tls);
    }

    private @Nullable SslHandler newHandler(ClientTls tls) {
        int port = backend.address() instanceof HostPort inet ? inet.port() : NO_PORT;
        try {
            return tls.newHandler(
                    PooledByteBufAllocator.DEFAULT, backend.address().host(), port);
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

    /** Lets go of sockets that lead elsewhere now, or have had their time. */
    void sweep() {
        followAddress();
        udp.sweep();
    }

    /** It is asked no more. What is outstanding is still answered. */
    void forget() {
        forgotten = true;
        retire();
    }

    /** Its TLS is another one. */
    void retireSecured() {
        dot.retire();
    }

    private void retire() {
        List.copyOf(lanes).forEach(Lane::retire);
    }

    /** Fails what is outstanding on its sockets, and closes them. */
    void close() {
        List.copyOf(lanes).forEach(lane -> lane.end(AttemptFailure.CLOSED));
    }
}
