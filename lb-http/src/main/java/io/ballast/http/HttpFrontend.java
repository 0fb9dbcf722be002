package io.ballast.http;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Topology;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.http.config.HttpConfig;
import io.ballast.http.exchange.Listener;
import io.ballast.http.h1.Http1Loop;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.http.relay.BackendTrouble;
import io.ballast.net.takeover.SharedSocket;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsContext;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of the balancer for HTTP, TCP and UDP, bound.
 *
 * <p>Thread safety: every method may be called from any thread; {@link #prepare}, {@link #drain} and {@link #close} wait. Changes
 * are prepared and put in force one after the other.
 */
public final class HttpFrontend implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpFrontend.class);

    private static final Duration MOST_UNUSED_GRACE = Duration.ofSeconds(10);

    private final IdentityHashMap<EventLoop, HttpLoop> loops;
    private final Listeners listeners;
    private final Workers workers;

    private HttpFrontend(IdentityHashMap<EventLoop, HttpLoop> loops, Listeners listeners, Workers workers) {
        this.workers = workers;
        this.loops = loops;
        this.listeners = listeners;
    }

    /**
     * Binds every listener of the configuration, or none.
     *
     * @param topology the pools that the routes refer to
     * @param backends the TLS of connections to backends; closed by the caller after the frontend
     * @throws BindException if an address cannot be bound
     * @throws IllegalStateException if an access log cannot be opened, or a certificate cannot be used
     */
    public static HttpFrontend start(
            HttpConfig config, Topology topology, Workers workers, BackendTrouble trouble, PoolTls backends)
            throws BindException {
        HttpFrontend frontend = bind(config, topology, workers, trouble, backends);
        frontend.accept();
        return frontend;
    }

    /** Like {@link #start}, but nobody is let in before {@link #accept}. */
    public static HttpFrontend bind(
            HttpConfig config, Topology topology, Workers workers, BackendTrouble trouble, PoolTls backends)
            throws BindException {
        IdentityHashMap<EventLoop, HttpLoop> loops = new IdentityHashMap<>();
        workers.all().forEach(worker -> loops.put(worker.eventLoop(), new HttpLoop(worker, backends)));
        Http1Loop.shareQuotas(loops.values().stream().map(HttpLoop::http1).toList());
        Listeners listeners = new Listeners(new ListenerSetup(workers, trouble, loops, backends), workers);
        listeners.holdBack();
        try {
            FrontendChange first = FrontendChange.prepare(listeners, config, topology);
            first.commit();
            first.settle();
        } catch (BindException | RuntimeException | Error e) {
            listeners.close();
            throw e;
        }
        return new HttpFrontend(loops, listeners, workers);
    }

    /**
     * Prepares the listeners of a topology that is to follow the running one; {@link FrontendChange} says what becomes of each.
     * Nothing of it is in force before it is committed.
     *
     * @throws IOException if an address cannot be bound, an access log cannot be opened, or a certificate cannot be used; the
     *     message says which and why, and nothing is left behind
     */
    public FrontendChange prepare(HttpConfig config, Topology next) throws IOException {
        try {
            return FrontendChange.prepare(listeners, config, next);
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Lets clients in. Called once, by the thread that has bound the listeners. */
    public void accept() {
        listeners.acceptWaiting();
    }

    /** Another process had the sockets, too, and has stopped: lets those in whom it may have left in the queue. Does not wait. */
    public void takeCharge() {
        listeners.inForce().forEach(listener -> listener.port().takeCharge());
    }

    /** The sockets by which clients come in, as another process may go on with them; none on NIO. */
    public List<SharedSocket> shared() {
        return listeners.shared();
    }

    /**
     * Another process has these sockets, too: takes no new clients here, and waits until none is on its way in. Connections end
     * with their next exchange; {@link #drain} ends those that are unused. Tunnels, sessions and exchanges go on.
     */
    public void leaveToOther() {
        listeners.leaveToOther();
    }

    /**
     * Waits until no connection is left, or the time is over.
     *
     * @return whether none is
     */
    public boolean awaitIdle(Duration most) {
        return listeners.awaitIdle(System.nanoTime() + most.toNanos()) == 0;
    }

    /** The heartbeats of its own threads; those of the event loops are with the workers. */
    public List<Heartbeat> heartbeats() {
        return listeners.accessLogs().heartbeats();
    }

    /** Has {@code consumer} told of the threads that begin later. */
    public void onLaterHeartbeats(Consumer<List<Heartbeat>> consumer) {
        listeners.accessLogs().onLaterHeartbeats(consumer);
    }

    /** What is in force now, in the order of the configuration. */
    public List<FrontendListener> inForce() {
        return listeners.inForce().stream().map(HttpFrontend::report).toList();
    }

    private static FrontendListener report(RunningListener running) {
        List<TlsContext> identities =
                running.tls().map(ServerTls::contexts).flatMap(List::stream).toList();
        return new FrontendListener(running.listener(), running.port().port(), identities);
    }

    /** The listeners with their counters, in the order of the configuration. */
    public List<Listener> listeners() {
        return listeners.inForce().stream().map(RunningListener::listener).toList();
    }

    /** The port that a listener really has, for one that asked for any; 0 for a Unix socket. */
    public int port(int index) {
        return listeners.inForce().get(index).port().port();
    }

    /** Whom a listener proves to be, in the order of its configuration; empty without TLS. */
    public List<TlsContext> identities(int index) {
        return report(listeners.inForce().get(index)).identities();
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
     * Cuts every tunnel to these backends, and every session of {@code tcp} and {@code udp} listeners. Requests come to their
     * end.
     *
     * @return completes when every event loop has done so
     */
    public CompletableFuture<Void> cut(Collection<Backend> backends) {
        List<Backend> all = List.copyOf(backends);
        return workers.onEach(worker -> all.forEach(requireNonNull(loops.get(worker.eventLoop()))::cut));
    }

    /**
     * Stops accepting, lets what runs come to its end, and closes connections between requests.
     *
     * @return how many connections were still busy when the time was over
     */
    public int drain(Duration grace) {
        return listeners.drain(grace);
    }

    /**
     * How long unused connections of a listener that goes away stay open, so that a client that sends its next request in that
     * time is told by the response to close, and loses nothing: half of the grace, 10 s at most.
     */
    public static Duration unusedGrace(Duration grace) {
        Duration half = grace.dividedBy(2);
        return half.compareTo(MOST_UNUSED_GRACE) < 0 ? half : MOST_UNUSED_GRACE;
    }

    /** How many connections and sessions of clients are open. */
    public int openConnections() {
        return listeners.awaitIdle(System.nanoTime());
    }

    /** Stops accepting and closes every connection of clients at once: a {@link #drain} that waits for them ends. */
    public void cutAll() {
        listeners.closeConnections();
    }

    /** Stops accepting and closes every connection at once, to clients and to backends. */
    @Override
    public void close() {
        listeners.closeConnections();
        try {
            loops.forEach((loop, http) -> loop.submit(http::closeIdle).awaitUninterruptibly());
        } catch (RejectedExecutionException e) {
            LOG.warn("msg=\"an event loop has ended; its connections go with the process\"");
        } finally {
            listeners.close();
        }
    }
}
