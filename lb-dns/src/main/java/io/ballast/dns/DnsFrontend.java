package io.ballast.dns;

import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.DnsListenerConfig;
import io.ballast.core.config.DnsListenerConfig.Protocol;
import io.ballast.core.config.TransportKind;
import io.ballast.core.pool.Topology;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.ServerIdentity;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.Answerers;
import io.ballast.dns.net.stream.StreamAcceptor;
import io.ballast.dns.net.stream.StreamLoops;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the zones of a configuration on all its listeners, from its start until it is closed. The answers follow the health
 * of the pools that the services stand on.
 *
 * <p>Thread safety: started and closed by one thread; the rest may be called by any.
 */
public final class DnsFrontend implements AutoCloseable {

    private final NettyTransport transport;
    private final UdpChoice udp;
    private final CompiledZones zones;
    private final DnsStats stats;
    private final Answerers answerers;
    private final FrontendLoops<AnswerLoop> loops;
    private final StreamLoops streams;
    private final ListenerProtocols protocols = new ListenerProtocols();
    private final List<ListenerSockets> listeners = new ArrayList<>();
    private volatile Consumer<List<Heartbeat>> laterHeartbeats = hearts -> {};
    private @Nullable AddressScan scan;

    private DnsFrontend(DnsConfig config, CompiledZones zones, int eventLoops, TransportKind wanted) {
        this.transport = NettyTransport.forDatagrams(wanted);
        this.udp = UdpChoice.of(config.udp(), wanted, transport);
        this.zones = zones;
        this.stats = new DnsStats(/* shards= */ 0);
        this.answerers = new Answerers(zones.published(), settings(config), stats);
        this.loops = AnswerLoop.start(transport, eventLoops, answerers);
        this.streams = new StreamLoops(loops, config.tcp());
    }

    /**
     * Compiles the zones, binds every listener and answers.
     *
     * @param inputs the pools of the services, and the regions of clients
     * @param eventLoops how many threads answer, those of TCP and those of UDP on each address; 0 means one per core
     * @param transport the best that works, unless NIO is asked for
     * @param signing where the keys of signed zones are, and who looks after them
     * @throws IOException if a listener cannot be bound, or a key or a certificate cannot be used; the message says which
     *     and why, and nothing stays open
     * @throws IllegalArgumentException if the zones contradict each other
     * @throws IllegalStateException if UDP is to be served in a way that does not work here
     */
    public static DnsFrontend start(
            DnsConfig config, ZoneInputs inputs, int eventLoops, TransportKind transport, SigningSetup signing)
            throws IOException {
        return start(config, CompiledZones.start(config, inputs, signing), eventLoops, transport);
    }

    /** Like the other, without geography, for zones of which none is signed. */
    public static DnsFrontend start(DnsConfig config, Topology topology, int eventLoops, TransportKind transport)
            throws IOException {
        return start(config, CompiledZones.start(config, topology), eventLoops, transport);
    }

    private static DnsFrontend start(DnsConfig config, CompiledZones zones, int eventLoops, TransportKind transport)
            throws IOException {
        int loops = eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops;
        DnsFrontend frontend = new DnsFrontend(config, zones, loops, transport);
        try {
            for (DnsListenerConfig listener : config.listeners()) {
                frontend.bind(listener);
            }
            frontend.startScan();
            frontend.protocols.watch();
            return frontend;
        } catch (IOException e) {
            frontend.close();
            throw e;
        }
    }

    private static AnswerSettings settings(DnsConfig config) {
        Protection protection =
                Protection.of(config.cookies(), config.rateLimit(), InstantSource.system(), System::nanoTime);
        ServerIdentity identity = new ServerIdentity(
                ServerName.of(config.identity()), config.version().orElse(""));
        return new AnswerSettings(
                protection, ServerName.of(config.nsid()), config.tcp().idle(), config.ecsTrusted(), identity);
    }

    private void bind(DnsListenerConfig listener) throws IOException {
        StreamAcceptor acceptor = new StreamAcceptor(streams, protocols.of(listener), listener.proxyProtocol());
        boolean datagrams = listener.protocol() == Protocol.DNS;
        listeners.add(ListenerSockets.open(listener, new SocketOpener(udp, loops, answerers, acceptor, datagrams)));
    }

    private void startScan() {
        List<ListenerSockets> scanning =
                listeners.stream().filter(ListenerSockets::scans).toList();
        if (!scanning.isEmpty()) {
            scan = AddressScan.start(scanning, hearts -> laterHeartbeats.accept(hearts));
        }
    }

    /** The heartbeats of its threads. */
    public List<Heartbeat> heartbeats() {
        List<Heartbeat> hearts = new ArrayList<>();
        loops.all().forEach(loop -> hearts.add(loop.heartbeat()));
        listeners.forEach(listener -> hearts.addAll(listener.heartbeats()));
        return hearts;
    }

    /** Has {@code consumer} told of the threads that serve addresses which appear later. */
    public void onLaterHeartbeats(Consumer<List<Heartbeat>> consumer) {
        laterHeartbeats = consumer;
    }

    /**
     * Every address that is bound now, wildcards among them, in the order of the listeners, with the ports chosen where 0
     * was asked for.
     */
    public List<InetSocketAddress> addresses() {
        return listeners.stream()
                .flatMap(listener -> listener.addresses().stream())
                .toList();
    }

    /** The zones that are served. */
    public CompiledZones zones() {
        return zones;
    }

    /** What was counted so far. */
    public DnsStats stats() {
        return stats;
    }

    /** What serves UDP. */
    public UdpChoice udp() {
        return udp;
    }

    /** Which of the system's interfaces carries TCP: {@code epoll} or {@code nio}. */
    public String transport() {
        return transport.label();
    }

    /** Stops answering and closes every socket. */
    @Override
    public void close() {
        if (scan != null) {
            scan.close();
        }
        listeners.forEach(ListenerSockets::close);
        streams.close();
        zones.close();
        loops.close();
        protocols.close();
    }
}
