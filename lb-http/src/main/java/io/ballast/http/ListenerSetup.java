package io.ballast.http;

import static java.util.Objects.requireNonNull;

import io.ballast.core.config.HostPort;
import io.ballast.core.pool.Topology;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerSettings;
import io.ballast.http.h3.QuicSockets;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.http.policy.PolicySource;
import io.ballast.http.relay.BackendFailureListener;
import io.ballast.http.route.ChallengeFiles;
import io.ballast.http.route.RouteTable;
import io.ballast.http.route.session.SessionRoutes;
import io.ballast.http.tcp.TcpSessions;
import io.ballast.net.tls.ChallengeCertificates;
import io.ballast.net.tls.ClientHello;
import io.ballast.net.tls.HostCertificates;
import io.ballast.net.tls.ServerTls;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.quic.QuicChannel;
import java.net.BindException;
import java.net.SocketAddress;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates HTTP, TCP and UDP listeners. Thread-safe; binding blocks. */
final class ListenerSetup {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerSetup.class);

    private final Workers workers;
    private final BackendFailureListener failureListener;
    private final IdentityHashMap<EventLoop, HttpLoop> loops;
    private final TcpSessions sessions;
    private final ChallengeFiles challenges = new ChallengeFiles();
    private final ChallengeCertificates challengeCertificates = new ChallengeCertificates();
    private final Supplier<Optional<String>> http3Check;
    private volatile HostCertificates hostCertificates = HostCertificates.NONE;
    private volatile Supplier<List<String>> ticketSecrets = List::of;

    /**
     * Creates the setup.
     *
     * @param loops the HTTP state of each event loop
     * @param backends the TLS settings of backend connections
     * @param http3Check returns the reason why HTTP/3 is not available; empty if it is
     */
    ListenerSetup(
            Workers workers,
            BackendFailureListener failure,
            IdentityHashMap<EventLoop, HttpLoop> loops,
            PoolTls backends,
            Supplier<Optional<String>> http3Check) {
        this.http3Check = http3Check;
        this.workers = workers;
        this.failureListener = failure;
        this.loops = loops;
        this.sessions = new TcpSessions(backends);
    }

    /** The files that listeners without TLS serve before all routes. */
    ChallengeFiles challenges() {
        return challenges;
    }

    /** The certificates that a certificate authority requests to verify names; listeners with TLS serve them. */
    ChallengeCertificates challengeCertificates() {
        return challengeCertificates;
    }

    /** The source of certificates for hosts that no configured certificate covers. */
    HostCertificates hostCertificates() {
        return hostCertificates;
    }

    void findHostCertificates(HostCertificates certificates) {
        hostCertificates = certificates;
    }

    /** The secrets from which the keys of TLS tickets are derived; empty if this process creates its own keys. */
    List<String> ticketSecrets() {
        return ticketSecrets.get();
    }

    void shareTicketSecrets(Supplier<List<String>> secrets) {
        ticketSecrets = secrets;
    }

    /**
     * Returns the configuration without HTTP/3 if this system has no library for QUIC; otherwise the same. Logs the reason.
     */
    ListenerConfig available(ListenerConfig config) {
        if (!config.http3()) {
            return config;
        }
        Optional<String> problem = http3Check.get();
        problem.ifPresent(reason -> LOG.warn(
                "listener={} msg=\"HTTP/3 is not available; the listener serves HTTP/1.1 and HTTP/2 over TCP\" cause=\"{}\"",
                config.name(),
                reason));
        return problem.isPresent() ? config.withHttp3(false) : config;
    }

    /** Binds the UDP sockets of a listener with HTTP/3, without receiving. */
    QuicSockets bindQuic(StreamPort port) throws BindException {
        HostPort bind = (HostPort) port.bind(); // HTTP/3 is configured for no other kind of address
        return QuicSockets.bind(
                bind,
                port.port(),
                workers,
                () -> requireNonNull(
                        port.clients().listener().settings().connections().tls()),
                (connection, worker, onHandshakeEnd) -> port.clients().beginQuic(connection, worker, onHandshakeEnd));
    }

    /** The event loop that closes sockets later. */
    Worker anyWorker() {
        return workers.all().get(0);
    }

    /** Creates the settings of a listener, with compiled routes and policies. */
    ListenerSettings settings(
            ConnectionSettings connections, ListenerConfig config, Topology topology, PolicySource policies) {
        return config.protocol() == ListenerProtocol.HTTP
                ? ListenerSettings.ofRequests(connections, RouteTable.compile(config, topology, policies, challenges))
                : ListenerSettings.ofSessions(connections, SessionRoutes.compile(config, topology));
    }

    /** Creates the object that manages the client connections or sessions of a new listener. */
    ListenerClients clients(ListenerSettings settings) {
        Listener listener =
                new Listener(settings, failureListener, workers.all().size());
        return switch (listener.config().protocol()) {
            case HTTP -> new StreamClients(listener, workers, this::beginHttp, this::beginHttp3);
            case TCP -> new StreamClients(listener, workers, this::beginTcp, /* quic= */ null);
            case UDP -> new UdpClients(listener);
        };
    }

    /**
     * Binds the port of a new listener without accepting.
     *
     * @param isOurs whether sockets of this process that will be closed may still use the address
     */
    FrontendPort<?> bind(ListenerConfig config, ListenerClients first, boolean isOurs) throws BindException {
        return first instanceof StreamClients stream
                ? StreamPort.bind(config, stream, workers, isOurs)
                : UdpPort.bind(config, (UdpClients) first, workers);
    }

    private void beginHttp(
            Listener listener,
            ConnectionSettings settings,
            Worker worker,
            Channel channel,
            SocketAddress client,
            SocketAddress local) {
        requireNonNull(loops.get(worker.eventLoop())).accept(listener, settings, channel, client, local);
    }

    private void beginHttp3(
            Listener listener,
            ConnectionSettings settings,
            Worker worker,
            QuicChannel channel,
            Runnable onHandshakeEnd) {
        requireNonNull(loops.get(worker.eventLoop())).acceptQuic(listener, settings, channel, onHandshakeEnd);
    }

    private void beginTcp(
            Listener listener,
            ConnectionSettings settings,
            Worker worker,
            Channel channel,
            SocketAddress client,
            SocketAddress local) {
        ServerTls tls = settings.tls();
        if (tls == null) {
            sessions.begin(worker, listener, settings, channel, client, local);
            return;
        }
        worker.readAllocatorOf(channel); // must precede adding the TLS handler, which starts reading
        TlsServerHandshake handshake = new TlsServerHandshake(
                worker,
                listener,
                settings,
                client,
                (secured, handler) -> sessions.begin(
                        worker, listener, settings, secured, client, local, ClientHello.of(secured, handler)));
        channel.pipeline().addLast(tls.newHandler(), handshake);
    }
}
