package io.ballast.http;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.ListenerConfig;
import io.ballast.core.pool.Topology;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.http.exchange.Listener;
import io.ballast.http.h1.Http1Loop;
import io.ballast.http.log.AccessLog;
import io.ballast.http.log.AccessLogs;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.http.relay.BackendTrouble;
import io.ballast.http.route.RouteTable;
import io.ballast.http.session.SessionRoutes;
import io.ballast.http.tcp.TcpSessions;
import io.ballast.net.tls.ClientHello;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsContext;
import io.netty.channel.EventLoop;
import java.net.BindException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of the balancer for HTTP, TCP and UDP, bound.
 *
 * <p>Thread safety: every method may be called from any thread; {@link #drain} and {@link #close} wait.
 */
public final class HttpFrontend implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpFrontend.class);

    private final List<FrontendPort> ports;
    private final IdentityHashMap<EventLoop, HttpLoop> loops;
    private final AccessLogs accessLogs;
    private final TlsListeners tls;
    private final Workers workers;

    private HttpFrontend(
            List<FrontendPort> ports,
            IdentityHashMap<EventLoop, HttpLoop> loops,
            AccessLogs accessLogs,
            TlsListeners tls,
            Workers workers) {
        this.workers = workers;
        this.ports = List.copyOf(ports);
        this.loops = loops;
        this.accessLogs = accessLogs;
        this.tls = tls;
    }

    /**
     * Binds every listener of the configuration, or none.
     *
     * @param backends the TLS of connections to backends; closed by the caller after the frontend
     * @throws BindException if an address cannot be bound
     * @throws IllegalStateException if an access log cannot be opened, or a certificate cannot be used
     */
    public static HttpFrontend start(Topology topology, Workers workers, BackendTrouble trouble, PoolTls backends)
            throws BindException {
        List<FrontendPort> bound = new ArrayList<>();
        IdentityHashMap<EventLoop, HttpLoop> loops = new IdentityHashMap<>();
        workers.all().forEach(worker -> loops.put(worker.eventLoop(), new HttpLoop(worker, backends)));
        Http1Loop.shareQuotas(loops.values().stream().map(HttpLoop::http1).toList());
        int shards = workers.all().size();
        List<ListenerConfig> configs = topology.config().listeners();
        TlsListeners tls = TlsListeners.open(configs);
        AccessLogs accessLogs = openLogs(configs, shards, tls);
        try {
            for (ListenerConfig config : configs) {
                @Nullable ServerTls secured = tls.of(bound.size());
                bound.add(
                        switch (config.protocol()) {
                            case HTTP ->
                                bindHttp(config, topology, workers, trouble, accessLogs.of(config), loops, secured);
                            case TCP -> bindTcp(config, topology, workers, trouble, secured, backends);
                            case UDP -> bindUdp(config, topology, workers, trouble);
                        });
            }
        } catch (BindException e) {
            bound.forEach(FrontendPort::close);
            accessLogs.close();
            tls.close();
            throw e;
        }
        return new HttpFrontend(bound, loops, accessLogs, tls, workers);
    }

    private static AccessLogs openLogs(List<ListenerConfig> configs, int shards, TlsListeners tls) {
        try {
            return AccessLogs.open(configs, shards, Clock.systemUTC());
        } catch (RuntimeException e) {
            tls.close();
            throw e;
        }
    }

    private static FrontendPort bindHttp(
            ListenerConfig config,
            Topology topology,
            Workers workers,
            BackendTrouble trouble,
            @Nullable AccessLog accessLog,
            IdentityHashMap<EventLoop, HttpLoop> loops,
            @Nullable ServerTls tls)
            throws BindException {
        RouteTable routes = RouteTable.compile(config, topology);
        Listener listener =
                new Listener(config, routes, trouble, accessLog, workers.all().size());
        return StreamPort.bind(
                listener,
                workers,
                (of, worker, channel, client, local) ->
                        requireNonNull(loops.get(worker.eventLoop())).accept(of, channel, client, local, tls));
    }

    private static FrontendPort bindTcp(
            ListenerConfig config,
            Topology topology,
            Workers workers,
            BackendTrouble trouble,
            @Nullable ServerTls tls,
            PoolTls backends)
            throws BindException {
        TcpSessions sessions = new TcpSessions(SessionRoutes.compile(config, topology), backends);
        Listener listener = new Listener(
                config,
                RouteTable.EMPTY,
                trouble,
                /* accessLog= */ null,
                workers.all().size());
        return StreamPort.bind(listener, workers, (of, worker, channel, client, local) -> {
            if (tls == null) {
                sessions.begin(worker, of, channel, client, local);
                return;
            }
            worker.readsOf(channel); // before TLS reads into something else
            TlsAccept handshake = new TlsAccept(
                    worker,
                    of,
                    client,
                    (secured, handler) -> sessions.begin(worker, of, secured, client, local, ClientHello.of(handler)));
            channel.pipeline().addLast(tls.newHandler(channel.alloc()), handshake);
        });
    }

    private static FrontendPort bindUdp(
            ListenerConfig config, Topology topology, Workers workers, BackendTrouble trouble) throws BindException {
        Listener listener = new Listener(
                config,
                RouteTable.EMPTY,
                trouble,
                /* accessLog= */ null,
                workers.all().size());
        return UdpPort.bind(listener, SessionRoutes.compile(config, topology), workers);
    }

    /** The heartbeats of its own threads; those of the event loops are with the workers. */
    public List<Heartbeat> heartbeats() {
        return accessLogs.heartbeats();
    }

    /** The listeners with their counters, in the order of the configuration. */
    public List<Listener> listeners() {
        return ports.stream().map(FrontendPort::listener).toList();
    }

    /** The port that a listener really has, for one that asked for any; 0 for a Unix socket. */
    public int port(int index) {
        return ports.get(index).port();
    }

    /** Whom a listener proves to be, in the order of its configuration; empty without TLS. */
    public List<TlsContext> identities(int index) {
        ServerTls server = tls.of(index);
        return server == null ? List.of() : server.contexts();
    }

    /**
     * Uses no connection to these backends again that there is now; those that serve an exchange are closed when it is over.
     *
     * @return completes when every event loop has done so, and so has ended what it was at before
     */
    public CompletableFuture<Void> retire(Collection<Backend> backends) {
        List<Backend> all = List.copyOf(backends);
        return workers.onEach(worker -> all.forEach(requireNonNull(loops.get(worker.eventLoop()))::retire));
    }

    /**
     * Stops accepting, lets what runs come to its end, and closes connections between requests.
     *
     * @return how many connections were still busy when the time was over
     */
    public int drain(Duration grace) {
        long end = System.nanoTime() + grace.toNanos();
        ports.forEach(FrontendPort::stopAccepting);
        int open = 0;
        for (FrontendPort port : ports) {
            open += port.awaitIdle(end);
        }
        return open;
    }

    /** Stops accepting and closes every connection at once, to clients and to backends. */
    @Override
    public void close() {
        ports.forEach(FrontendPort::close);
        try {
            loops.forEach((loop, http) -> loop.submit(http::closeIdle).awaitUninterruptibly());
        } catch (RejectedExecutionException e) {
            LOG.warn("msg=\"an event loop has ended; its connections go with the process\"");
        } finally {
            accessLogs.close();
            tls.close();
        }
    }
}
