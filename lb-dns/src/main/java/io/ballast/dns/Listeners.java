package io.ballast.dns;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.Answerers;
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
 * The listeners of a frontend, as its configuration is at the moment.
 *
 * <p>Thread safety: one change at a time, by one thread after the other; any thread may ask for {@link #current}.
 */
final class Listeners implements AutoCloseable {

    private final UdpChoice udp;
    private final FrontendLoops<AnswerLoop> loops;
    private final Answerers answerers;
    private final StreamLoops streams;
    private final Consumer<List<Heartbeat>> laterHeartbeats;
    /** What has not ended yet of listeners that were. */
    private final Set<AutoCloseable> ending = ConcurrentHashMap.newKeySet();

    /** What is no longer spoken on new connections. */
    private final Set<ListenerProtocol> retired = ConcurrentHashMap.newKeySet();

    private volatile List<Listener> current = List.of();
    private @Nullable AddressScan scan;

    /** @param laterHeartbeats hears of the threads that serve sockets which are opened later */
    Listeners(
            UdpChoice udp,
            FrontendLoops<AnswerLoop> loops,
            Answerers answerers,
            StreamLoops streams,
            Consumer<List<Heartbeat>> laterHeartbeats) {
        this.udp = udp;
        this.loops = loops;
        this.answerers = answerers;
        this.streams = streams;
        this.laterHeartbeats = laterHeartbeats;
    }

    /** Those in force, in the order of the configuration. */
    List<Listener> current() {
        return current;
    }

    /**
     * Gets other listeners ready. Those with the same configuration stay as they are; the sockets of a changed one are taken
     * over; new ones are bound, and serve when the change is committed.
     *
     * @throws IOException if an address cannot be bound or a certificate cannot be used; then nothing has changed
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
                    && change.next().stream().anyMatch(each -> each.sockets().scans())) {
                scan = AddressScan.start(laterHeartbeats);
                scan.pause();
            }
            return change;
        } catch (IOException | RuntimeException | Error e) {
            change.close();
            throw e;
        }
    }

    /** Opens a listener on its own, which serves when it is started. */
    Listener open(DnsListenerConfig config, List<InetSocketAddress> ours) throws IOException {
        ListenerProtocol protocol = ListenerProtocol.open(config);
        try {
            StreamService service = new StreamService(protocol.spoken(), config.proxyProtocol());
            StreamAcceptor acceptor = new StreamAcceptor(streams, service);
            List<InetSocketAddress> inherited = List.copyOf(loops.inherited().addresses());
            ListenerSockets sockets = ListenerSockets.open(config, opener(config, acceptor), ours, inherited);
            return new Listener(config, sockets, acceptor, service, protocol);
        } catch (IOException | RuntimeException | Error e) {
            protocol.close();
            throw e;
        }
    }

    /** Opens what a listener needs to take over the sockets of another; null if it cannot. */
    @Nullable Listener succeed(Listener before, DnsListenerConfig config) throws IOException {
        ListenerProtocol protocol = ListenerProtocol.open(config);
        try {
            ListenerSockets sockets = before.sockets()
                    .successor(config, opener(config, before.acceptor()))
                    .orElse(null);
            if (sockets == null) {
                protocol.close();
                return null;
            }
            StreamService service = new StreamService(protocol.spoken(), config.proxyProtocol());
            return new Listener(config, sockets, before.acceptor(), service, protocol);
        } catch (IOException | RuntimeException | Error e) {
            protocol.close();
            throw e;
        }
    }

    private SocketOpener opener(DnsListenerConfig config, StreamAcceptor acceptor) {
        return new SocketOpener(udp, loops, answerers, acceptor, config.protocol() == Protocol.DNS);
    }

    /** Has threads that nobody asks let go of a configuration that is not active any more. Returns at once. */
    void follow() {
        answerers.follow();
        loops.all().forEach(loop -> loop.eventLoop().execute(loop::follow));
    }

    /** The sockets of those in force, as another process may go on with them. */
    List<SharedSocket> shared() {
        return current.stream()
                .flatMap(listener -> listener.sockets().shared().stream())
                .toList();
    }

    /** Another process has these sockets, too: takes nothing new in. */
    void leaveToOther() {
        if (scan != null) {
            scan.pause();
        }
        current.forEach(listener -> listener.sockets().leaveToOther());
    }

    /** No other process has the sockets of those in force any more. */
    void takeCharge() {
        current.forEach(listener -> listener.sockets().takeCharge());
    }

    /** Waits until the sockets for datagrams are closed that were left. */
    void awaitLeft() {
        current.forEach(listener -> listener.sockets().awaitLeft());
    }

    /** Ends the connections of those in force, each when it rests. Returns at once. */
    void retireConnections() {
        current.forEach(listener -> streams.retire(listener.service()));
    }

    /** Puts others in force. */
    void current(List<Listener> next) {
        current = List.copyOf(next);
        resumeScan();
    }

    void resumeScan() {
        if (scan != null) {
            scan.listeners(current.stream().map(Listener::sockets));
            scan.resume();
        }
    }

    void tellHeartbeats(List<Heartbeat> hearts) {
        laterHeartbeats.accept(hearts);
    }

    /**
     * The connections of a listener end in good order, and its sockets have begun to.
     *
     * @param sockets to be closed, which waits for their end
     */
    void ends(AutoCloseable sockets, Listener listener) {
        ending.add(sockets);
        streams.retire(listener.service());
        retired.add(listener.protocol());
        // Until then a connection that came before may still begin its handshake.
        loops.all()
                .get(0)
                .eventLoop()
                .schedule(() -> close(listener.protocol()), streams.retirementNanos(), TimeUnit.NANOSECONDS);
    }

    private void close(ListenerProtocol protocol) {
        protocol.close();
        retired.remove(protocol);
    }

    /** Does what {@link #awaitEnded} does on a thread of its own. */
    void awaitEndedLater() {
        if (!ending.isEmpty()) {
            Thread waiting = new Thread(this::awaitEnded, "dns-listeners-end");
            waiting.setDaemon(true);
            waiting.start();
        }
    }

    /** Waits for what has not ended yet, which takes a second at most if nothing hangs. */
    private synchronized void awaitEnded() {
        for (AutoCloseable part : List.copyOf(ending)) {
            close(part);
            ending.remove(part);
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

    /** Closes all sockets. To be called when no change is prepared. */
    @Override
    public void close() {
        if (scan != null) {
            scan.close();
        }
        current.forEach(listener -> listener.sockets().close());
        awaitEnded();
    }

    /** To be called when there are no connections any more. */
    void closeProtocols() {
        current.forEach(listener -> listener.protocol().close());
        retired.forEach(ListenerProtocol::close);
    }
}
