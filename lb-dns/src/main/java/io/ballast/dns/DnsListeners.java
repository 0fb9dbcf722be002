package io.ballast.dns;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.AnswererFactory;
import io.ballast.dns.net.stream.StreamAcceptor;
import io.ballast.dns.net.stream.StreamLoops;
import io.ballast.dns.net.stream.StreamService;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.takeover.SharedSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The current listeners of a frontend.
 *
 * <p>Thread safety: one change at a time, by one thread at a time; {@link #current} may be called from any
 * thread.
 */
final class DnsListeners implements AutoCloseable {

    private final UdpTransport udp;
    private final FrontendLoops<AnswerLoop> loops;
    private final AnswererFactory answerers;
    private final StreamLoops streams;
    private final Consumer<List<Heartbeat>> addedHeartbeats;
    /** Sockets of removed listeners that are still closing. */
    private final Set<AutoCloseable> closingSockets = ConcurrentHashMap.newKeySet();

    /**
     * Protocol handlers of replaced or removed listeners. New connections do not use them; open ones still do.
     */
    private final Set<DnsListenerProtocol> retired = ConcurrentHashMap.newKeySet();

    private volatile List<DnsListener> current = List.of();
    private @Nullable LocalAddressMonitor scan;

    /** @param addedHeartbeats callback that receives the heartbeats of the threads for sockets that are opened later */
    DnsListeners(
            UdpTransport udp,
            FrontendLoops<AnswerLoop> loops,
            AnswererFactory answerers,
            StreamLoops streams,
            Consumer<List<Heartbeat>> addedHeartbeats) {
        this.udp = udp;
        this.loops = loops;
        this.answerers = answerers;
        this.streams = streams;
        this.addedHeartbeats = addedHeartbeats;
    }

    /** The active listeners, in configuration order. */
    List<DnsListener> current() {
        return current;
    }

    /**
     * Prepares new listeners. A listener with an unchanged configuration is kept. A listener with a changed
     * configuration takes over the existing sockets. A new listener is bound, and serves after the commit.
     *
     * @throws IOException if an address cannot be bound or a certificate cannot be used; in this case, nothing has
     *     changed
     */
    ListenersChange prepare(List<DnsListenerConfig> next) throws IOException {
        awaitEnded();
        if (scan != null) {
            scan.pause();
        }
        ListenersChange change = new ListenersChange(this, current);
        try {
            change.open(next);
            if (scan == null
                    && change.next().stream().anyMatch(each -> each.sockets().needsRescan())) {
                scan = LocalAddressMonitor.start(addedHeartbeats);
                scan.pause();
            }
            return change;
        } catch (IOException | RuntimeException | Error e) {
            change.close();
            throw e;
        }
    }

    /** Opens a new listener, which serves only after its sockets are started. */
    DnsListener open(DnsListenerConfig config, List<InetSocketAddress> ownAddresses) throws IOException {
        DnsListenerProtocol protocol = DnsListenerProtocol.open(config);
        try {
            StreamService service = new StreamService(protocol.streamProtocol(), config.proxyProtocol());
            StreamAcceptor acceptor = new StreamAcceptor(streams, service);
            List<InetSocketAddress> inherited = List.copyOf(loops.inherited().addresses());
            ListenerSockets sockets = ListenerSockets.open(config, opener(config, acceptor), ownAddresses, inherited);
            return new DnsListener(config, sockets, acceptor, service, protocol);
        } catch (IOException | RuntimeException | Error e) {
            protocol.close();
            throw e;
        }
    }

    /**
     * Opens a listener that takes over the sockets of {@code before}. Returns null if the sockets cannot be
     * reused.
     */
    @Nullable DnsListener openSuccessor(DnsListener before, DnsListenerConfig config) throws IOException {
        DnsListenerProtocol protocol = DnsListenerProtocol.open(config);
        try {
            ListenerSockets sockets = before.sockets()
                    .successor(config, opener(config, before.acceptor()))
                    .orElse(null);
            if (sockets == null) {
                protocol.close();
                return null;
            }
            StreamService service = new StreamService(protocol.streamProtocol(), config.proxyProtocol());
            return new DnsListener(config, sockets, before.acceptor(), service, protocol);
        } catch (IOException | RuntimeException | Error e) {
            protocol.close();
            throw e;
        }
    }

    private SocketOpener opener(DnsListenerConfig config, StreamAcceptor acceptor) {
        return new SocketOpener(udp, loops, answerers, acceptor, config.protocol() == Protocol.DNS);
    }

    /** Makes idle threads release their references to inactive configurations. Returns immediately. */
    void releaseInactiveConfigs() {
        answerers.releaseInactiveConfig();
        loops.all().forEach(loop -> loop.eventLoop().execute(loop::releaseInactiveConfig));
    }

    /** The sockets of the active listeners, for another process to inherit. */
    List<SharedSocket> sharedSockets() {
        return current.stream()
                .flatMap(listener -> listener.sockets().sharedSockets().stream())
                .toList();
    }

    /** Called when another process has inherited the sockets: stops accepting queries. */
    void releaseToSuccessor() {
        if (scan != null) {
            scan.pause();
        }
        current.forEach(listener -> listener.sockets().releaseToSuccessor());
    }

    /** Called when no other process uses the sockets of the active listeners any more. */
    void activate() {
        current.forEach(listener -> listener.sockets().activate());
    }

    /** Waits until this process has closed the datagram sockets that another process inherited. */
    void awaitSocketsClosed() {
        current.forEach(listener -> listener.sockets().awaitSocketsClosed());
    }

    /** Closes each connection of the active listeners as soon as it is idle. Returns immediately. */
    void retireConnections() {
        current.forEach(listener -> streams.retire(listener.service()));
    }

    /** Replaces the active listeners. */
    void current(List<DnsListener> next) {
        current = List.copyOf(next);
        resumeScan();
    }

    void resumeScan() {
        if (scan != null) {
            scan.listeners(current.stream().map(DnsListener::sockets));
            scan.resume();
        }
    }

    void reportHeartbeats(List<Heartbeat> hearts) {
        addedHeartbeats.accept(hearts);
    }

    /**
     * Retires a listener whose sockets are already closing. Its connections end gracefully.
     *
     * @param sockets resource whose {@code close} waits until the sockets are closed
     */
    void retire(AutoCloseable sockets, DnsListener listener) {
        closingSockets.add(sockets);
        streams.retire(listener.service());
        retired.add(listener.protocol());
        // Close the protocol later, because a connection that was accepted earlier can still be waiting for its
        // handshake.
        loops.all()
                .get(0)
                .eventLoop()
                .schedule(() -> close(listener.protocol()), streams.retirementNanos(), TimeUnit.NANOSECONDS);
    }

    private void close(DnsListenerProtocol protocol) {
        protocol.close();
        retired.remove(protocol);
    }

    /** Runs {@link #awaitEnded} on a new thread. */
    void awaitEndedLater() {
        if (!closingSockets.isEmpty()) {
            Thread waiting = new Thread(this::awaitEnded, "dns-listeners-end");
            waiting.setDaemon(true);
            waiting.start();
        }
    }

    /** Waits until retired sockets are closed, which normally takes at most a second. */
    private synchronized void awaitEnded() {
        for (AutoCloseable part : List.copyOf(closingSockets)) {
            close(part);
            closingSockets.remove(part);
        }
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Closes all sockets. Must not be called while a change is prepared. */
    @Override
    public void close() {
        if (scan != null) {
            scan.close();
        }
        current.forEach(listener -> listener.sockets().close());
        awaitEnded();
    }

    /**
     * Closes the protocols of all current and replaced listeners. Called after all connections are closed.
     */
    void closeProtocols() {
        current.forEach(listener -> listener.protocol().close());
        retired.forEach(DnsListenerProtocol::close);
    }
}
