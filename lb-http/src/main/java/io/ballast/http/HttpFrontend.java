package io.ballast.http;

import static java.util.Objects.requireNonNull;

import io.ballast.core.ErrorText;
import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Topology;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.http.background.exchange.BackgroundExchanges;
import io.ballast.http.config.HttpConfig;
import io.ballast.http.exchange.Listener;
import io.ballast.http.h1.Http1Loop;
import io.ballast.http.h3.QuicSupport;
import io.ballast.http.net.DescriptorQueue;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.http.policy.PolicySource;
import io.ballast.http.relay.BackendFailureListener;
import io.ballast.http.route.ChallengeFiles;
import io.ballast.net.takeover.SharedSocket;
import io.ballast.net.tls.ChallengeCertificates;
import io.ballast.net.tls.HostCertificates;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsContext;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bound listeners for HTTP, TCP and UDP.
 *
 * <p>Thread safety: any thread may call any method; {@link #prepare}, {@link #drain} and {@link #close} block. Changes
 * must be prepared and committed in sequence.
 */
public final class HttpFrontend implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpFrontend.class);

    private static final Duration MAX_UNUSED_GRACE = Duration.ofSeconds(10);

    private final IdentityHashMap<EventLoop, HttpLoop> loops;
    private final Listeners listeners;
    private final Workers workers;

    private HttpFrontend(IdentityHashMap<EventLoop, HttpLoop> loops, Listeners listeners, Workers workers) {
        this.workers = workers;
        this.loops = loops;
        this.listeners = listeners;
    }

    /**
     * Binds all listeners of a configuration without policies; if one of them cannot be bound, none of them remains
     * bound.
     *
     * @param topology the pools that the routes refer to
     * @param backends the TLS settings of backend connections; the caller closes them after the frontend
     * @throws BindException if an address cannot be bound
     * @throws IllegalStateException if an access log cannot be opened, or a certificate cannot be used
     */
    public static HttpFrontend start(
            HttpConfig config, Topology topology, Workers workers, BackendFailureListener failure, PoolTls backends)
            throws BindException {
        HttpFrontend frontend = bind(config, topology, PolicySource.NONE, workers, failure, backends);
        frontend.accept();
        return frontend;
    }

    /**
     * Like {@link #start}, but accepts no clients before {@link #accept}.
     *
     * @param policies the policies that listeners, routes and pools name
     */
    public static HttpFrontend bind(
            HttpConfig config,
            Topology topology,
            PolicySource policies,
            Workers workers,
            BackendFailureListener failure,
            PoolTls backends)
            throws BindException {
        return bind(config, topology, policies, workers, failure, backends, QuicSupport::unavailabilityReason);
    }

    /**
     * Like {@link #bind(HttpConfig, Topology, PolicySource, Workers, BackendFailureListener, PoolTls)}, with another check
     * for HTTP/3.
     *
     * @param http3Check returns the reason why HTTP/3 is not available; empty if it is. Called only if a listener has it
     */
    public static HttpFrontend bind(
            HttpConfig config,
            Topology topology,
            PolicySource policies,
            Workers workers,
            BackendFailureListener failure,
            PoolTls backends,
            Supplier<Optional<String>> http3Check)
            throws BindException {
        IdentityHashMap<EventLoop, HttpLoop> loops = new IdentityHashMap<>();
        Listener background =
                BackgroundExchanges.listener(failure, workers.all().size());
        workers.all().forEach(worker -> loops.put(worker.eventLoop(), new HttpLoop(worker, backends, background)));
        DescriptorQueue.share(workers.all().stream().map(Worker::descriptors).toList());
        Http1Loop.shareQuotas(loops.values().stream().map(HttpLoop::http1).toList());
        Listeners listeners = new Listeners(new ListenerSetup(workers, failure, loops, backends, http3Check), workers);
        listeners.delayAccepting();
        try {
            FrontendChange first = FrontendChange.prepare(listeners, config, topology, policies);
            first.commit();
            first.releasePrevious();
        } catch (BindException | RuntimeException | Error e) {
            listeners.close();
            throw e;
        }
        return new HttpFrontend(loops, listeners, workers);
    }

    /**
     * Prepares the listeners of the next topology; {@link FrontendChange} describes the transition of each
     * listener. Nothing takes effect before the commit.
     *
     * @throws IOException if an address cannot be bound, an access log cannot be opened, or a certificate cannot
     *     be used; the message names the item and the cause, and nothing is left open
     */
    public FrontendChange prepare(HttpConfig config, Topology next, PolicySource policies) throws IOException {
        try {
            return FrontendChange.prepare(listeners, config, next, policies);
        } catch (IllegalStateException e) {
            throw new IOException(ErrorText.of(e), e);
        }
    }

    /** Starts accepting. Must be called once, by the thread that bound the listeners. */
    public void accept() {
        listeners.acceptWaiting();
    }

    /**
     * Accepts clients that are still in the queue because another process that shared the sockets has stopped.
     * Does not wait.
     */
    public void activate() {
        listeners.active().forEach(listener -> listener.port().activate());
    }

    /** Returns the listening sockets to share with a successor process; empty for the NIO transport. */
    public List<SharedSocket> sharedSockets() {
        return listeners.sharedSockets();
    }

    /**
     * Hands the shared sockets over to a successor process. Stops accepting, and waits until no client is being
     * accepted. Connections end after their next exchange, and {@link #drain} closes idle ones. Tunnels, sessions
     * and exchanges continue.
     */
    public void releaseToSuccessor() {
        listeners.releaseToSuccessor();
    }

    /**
     * Waits until all connections are closed or {@code max} has passed.
     *
     * @return whether all are closed
     */
    public boolean awaitIdle(Duration max) {
        return listeners.awaitIdle(System.nanoTime() + max.toNanos()) == 0;
    }

    /**
     * The heartbeats of the frontend's own threads; the workers provide the heartbeats of the event loops.
     */
    public List<Heartbeat> heartbeats() {
        return listeners.accessLogs().heartbeats();
    }

    /** Registers a consumer for the heartbeats of threads that the frontend starts later. */
    public void onAddedHeartbeats(Consumer<List<Heartbeat>> consumer) {
        listeners.accessLogs().onAddedHeartbeats(consumer);
    }

    /** The files that a certificate authority requests to verify names; listeners without TLS serve them. */
    public ChallengeFiles challengeFiles() {
        return listeners.setup().challenges();
    }

    /** The certificates that a certificate authority requests to verify names; listeners with TLS serve them. */
    public ChallengeCertificates challengeCertificates() {
        return listeners.setup().challengeCertificates();
    }

    /** Sets the source of certificates for listeners that accept hosts without a configured certificate. */
    public void findHostCertificates(HostCertificates certificates) {
        listeners.setup().findHostCertificates(certificates);
    }

    /**
     * Sets the source of the secrets from which the keys of TLS tickets are derived. See {@link
     * ServerTls#shareTicketSecrets}.
     */
    public void shareTicketSecrets(Supplier<List<String>> secrets) {
        listeners.setup().shareTicketSecrets(secrets);
    }

    /** The active listeners in the order of the configuration. */
    public List<FrontendListener> activeListeners() {
        return listeners.active().stream().map(HttpFrontend::report).toList();
    }

    private static FrontendListener report(RunningListener running) {
        List<TlsContext> identities =
                running.tls().map(ServerTls::contexts).flatMap(List::stream).toList();
        return new FrontendListener(running.listener(), running.port().port(), identities);
    }

    /** The listeners with their counters, in the order of the configuration. */
    public List<Listener> listeners() {
        return listeners.active().stream().map(RunningListener::listener).toList();
    }

    /**
     * Returns the actual port of a listener, even if the configuration lets the system choose it; 0 for a Unix
     * socket.
     */
    public int port(int index) {
        return listeners.active().get(index).port().port();
    }

    /** The TLS identities of a listener in the order of the configuration; empty without TLS. */
    public List<TlsContext> identities(int index) {
        return report(listeners.active().get(index)).identities();
    }

    /**
     * Stops reusing the existing connections to these backends; a connection in use closes after its exchange.
     *
     * @return a future that completes when every event loop has finished its earlier tasks and no longer reuses the
     *     connections
     */
    public CompletableFuture<Void> retire(Collection<Backend> backends) {
        List<Backend> all = List.copyOf(backends);
        return workers.onEach(worker -> all.forEach(requireNonNull(loops.get(worker.eventLoop()))::retire));
    }

    /**
     * Closes all tunnels to these backends and all their {@code tcp} and {@code udp} sessions. Requests continue.
     *
     * @return a future that completes when every event loop has closed them
     */
    public CompletableFuture<Void> closeSessions(Collection<Backend> backends) {
        List<Backend> all = List.copyOf(backends);
        return workers.onEach(worker -> all.forEach(requireNonNull(loops.get(worker.eventLoop()))::closeSessions));
    }

    /**
     * Stops accepting, closes idle connections, and waits for running exchanges.
     *
     * @return the number of connections still busy when the grace period ended
     */
    public int drain(Duration grace) {
        return listeners.drain(grace);
    }

    /**
     * Returns how long idle connections of a removed listener stay open: half of the grace period, at most 10 s.
     * A client that sends a request in that time receives a response that announces the close, so no request is
     * lost.
     */
    public static Duration unusedGrace(Duration grace) {
        Duration half = grace.dividedBy(2);
        return half.compareTo(MAX_UNUSED_GRACE) < 0 ? half : MAX_UNUSED_GRACE;
    }

    /** The number of open client connections and sessions. */
    public int openConnections() {
        return listeners.awaitIdle(System.nanoTime());
    }

    /** Stops accepting and closes all client connections immediately. This also ends a waiting {@link #drain}. */
    public void cutAll() {
        listeners.closeConnections();
    }

    /** Stops accepting and closes all client and backend connections immediately. */
    @Override
    public void close() {
        listeners.closeConnections();
        try {
            loops.forEach((loop, http) -> loop.submit(http::close).awaitUninterruptibly());
        } catch (RejectedExecutionException e) {
            LOG.warn("msg=\"an event loop has stopped; its connections are closed when the process exits\"");
        } finally {
            listeners.close();
        }
    }
}
