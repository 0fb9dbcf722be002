package io.ballast.dns;

import io.ballast.core.pool.Topology;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.answer.DeciderLabels;
import io.ballast.dns.challenge.ChallengeRecords;
import io.ballast.dns.config.CookieSecret;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.follow.AliasResolver;
import io.ballast.dns.forward.ForwardingState;
import io.ballast.dns.forward.ListSetup;
import io.ballast.dns.forward.UpstreamFailureListener;
import io.ballast.dns.forward.upstream.UpstreamCounter;
import io.ballast.dns.forward.upstream.UpstreamTls;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.AnswererFactory;
import io.ballast.dns.net.stream.StreamLoops;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.secondary.SecondarySetup;
import io.ballast.dns.secondary.SecondaryZones;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.net.config.TransportKind;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.takeover.InheritedSockets;
import io.ballast.net.takeover.SharedSocket;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the zones of a configuration on all its listeners until it is closed. The answers depend on the
 * health of the pools that the services use.
 *
 * <p>Thread safety: started and closed by one thread; other methods may be called by any thread.
 */
public final class DnsFrontend implements AutoCloseable {

    private final TransportKind configuredTransport;
    private final NettyTransport transport;
    private final UdpTransport udp;
    private final DnsStats stats;
    private final ActiveAnswerConfig active;
    private final QueryLog queryLog = new QueryLog(DeciderLabels::of);
    private final FrontendLoops<AnswerLoop> loops;
    private final StreamLoops streams;
    private final DnsListeners listeners;
    private final AliasResolver aliasResolver;
    private final ForwardPart forward;
    private final ControlPart control;
    private final @Nullable ManagedZones managedZones;
    private final ConfigChanges changes;
    /** Listeners that are bound but do not serve yet; null after {@link #begin}. */
    private @Nullable ListenersChange initialListeners;

    private volatile Consumer<List<Heartbeat>> addedHeartbeats = hearts -> {};
    private final DelegatingUpstreamListener failure = new DelegatingUpstreamListener();
    private volatile UpstreamTls upstreamTls = UpstreamTls.NONE;

    private DnsFrontend(
            DnsConfig config,
            CompiledZones zones,
            AliasResolver followed,
            int eventLoops,
            TransportKind wanted,
            @Nullable ListSetup lists,
            @Nullable ManagedZones kept) {
        this.aliasResolver = followed;
        this.managedZones = kept;
        this.configuredTransport = wanted;
        this.transport = NettyTransport.forDatagrams(wanted);
        this.udp = UdpTransport.of(config.udp(), wanted, transport);
        this.stats = kept == null ? new DnsStats(/* shards= */ 0) : kept.stats();
        Protection protection =
                Protection.of(config.cookies(), config.rateLimit(), InstantSource.system(), System::nanoTime);
        this.active =
                new ActiveAnswerConfig(new AnswerConfig(zones.published(), ConfigParts.answering(config, protection)));
        AnswererFactory answerers = new AnswererFactory(active, stats, queryLog);
        this.loops = AnswerLoop.start(transport, eventLoops, answerers);
        this.forward = new ForwardPart(
                loops,
                active,
                stats,
                failure,
                (backend, protocol) -> upstreamTls.find(backend, protocol),
                queryLog,
                followed,
                lists);
        this.control = new ControlPart(active, stats, queryLog, kept);
        this.streams = new StreamLoops(loops, config.tcp());
        this.listeners = new DnsListeners(udp, loops, answerers, streams, hearts -> addedHeartbeats.accept(hearts));
        this.changes = new ConfigChanges(
                config, zones, active, followed, forward, control, queryLog, listeners, streams, kept);
    }

    /**
     * Compiles the zones, binds every listener and starts to answer.
     *
     * @param inputs the pools of the services, and the regions of clients
     * @param eventLoops number of threads for TCP, and for UDP on each address; 0 means one per core
     * @param transport the wanted transport: NIO forces NIO; for all other values, the best available transport is used
     * @param signing key store and key maintenance of signed zones
     * @throws IOException if a listener cannot be bound, or a key or a certificate cannot be used; the message states
     *     the problem and its cause, and nothing stays open
     * @throws IllegalArgumentException if two zones conflict
     * @throws IllegalStateException if the configured UDP implementation does not work on this machine
     */
    public static DnsFrontend start(
            DnsConfig config, ZoneInputs inputs, int eventLoops, TransportKind transport, SigningSetup signing)
            throws IOException {
        DnsFrontend frontend =
                bind(config, inputs, eventLoops, transport, signing, /* lists= */ null, InheritedSockets.none());
        frontend.begin();
        return frontend;
    }

    /**
     * Uses secrets of a cluster for DNS cookies, unless the active configuration has its own secrets. Must be repeated
     * after each change of the configuration. Called by the thread that activates configurations.
     *
     * @param secrets the secrets, at least one; the first secret creates cookies, and all secrets verify them
     */
    public void shareCookieSecrets(List<CookieSecret> secrets) {
        active.current().settings().protection().shareSecrets(secrets);
    }

    /** Binds a frontend without secondary zones. */
    public static DnsFrontend bind(
            DnsConfig config,
            ZoneInputs inputs,
            int eventLoops,
            TransportKind transport,
            SigningSetup signing,
            @Nullable ListSetup lists,
            InheritedSockets inherited)
            throws IOException {
        return bind(config, inputs, eventLoops, transport, signing, lists, /* secondaries= */ null, inherited);
    }

    /**
     * Like {@link #start}, but queries are answered only after {@link #begin}; until then, they wait in the
     * sockets.
     *
     * @param lists setup of rule lists; null if there are none
     * @param secondaries setup of secondary zones; null to serve such zones as if they had not been transferred
     *     yet
     * @param inherited sockets of another process, which are reused if their addresses match
     */
    public static DnsFrontend bind(
            DnsConfig config,
            ZoneInputs inputs,
            int eventLoops,
            TransportKind transport,
            SigningSetup signing,
            @Nullable ListSetup lists,
            @Nullable SecondarySetup secondaries,
            InheritedSockets inherited)
            throws IOException {
        ManagedZones kept =
                secondaries == null ? null : ManagedZones.start(secondaries, config, new DnsStats(/* shards= */ 0));
        AliasResolver followed = new AliasResolver(inputs.compiler(), inputs.nanoTime());
        DnsFrontend frontend = bind(
                config,
                CompiledZones.start(kept == null ? config : kept.first(), inputs.withAliasAddresses(followed), signing),
                followed,
                eventLoops,
                transport,
                lists,
                kept,
                inherited);
        if (kept != null) {
            ManagedZoneActivation activation = new ManagedZoneActivation(frontend.changes, kept);
            kept.commit(activation, activation::activateSecondaries);
        }
        return frontend;
    }

    /** Starts a frontend without client regions and without signed zones. */
    public static DnsFrontend start(DnsConfig config, Topology topology, int eventLoops, TransportKind transport)
            throws IOException {
        DnsFrontend frontend = bind(config, topology, eventLoops, transport, InheritedSockets.none());
        frontend.begin();
        return frontend;
    }

    static DnsFrontend bind(
            DnsConfig config, Topology topology, int eventLoops, TransportKind transport, InheritedSockets inherited)
            throws IOException {
        ZoneInputs inputs = ZoneInputs.of(topology);
        AliasResolver followed = new AliasResolver(inputs.compiler(), inputs.nanoTime());
        return bind(
                config,
                CompiledZones.start(config, inputs.withAliasAddresses(followed)),
                followed,
                eventLoops,
                transport,
                /* lists= */ null,
                /* kept= */ null,
                inherited);
    }

    private static DnsFrontend bind(
            DnsConfig config,
            CompiledZones zones,
            AliasResolver followed,
            int eventLoops,
            TransportKind transport,
            @Nullable ListSetup lists,
            @Nullable ManagedZones kept,
            InheritedSockets inherited)
            throws IOException {
        int loops = eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops;
        DnsFrontend frontend = new DnsFrontend(config, zones, followed, loops, transport, lists, kept);
        try {
            frontend.changes.activateFirst();
            frontend.loops.inherit(inherited);
            frontend.initialListeners = frontend.listeners.prepare(config.listeners());
            return frontend;
        } catch (IOException | RuntimeException e) {
            frontend.close();
            throw e;
        }
    }

    /** The query log. */
    public QueryLog queryLog() {
        return queryLog;
    }

    /** Reports failures of upstream resolvers to {@code listener}. */
    public void onUpstreamFailure(UpstreamFailureListener listener) {
        failure.setListener(listener);
    }

    /** Sets the TLS settings for upstream resolvers. Before this call, no resolver is queried over TLS. */
    public void secureUpstreams(UpstreamTls tls) {
        upstreamTls = tls;
    }

    /** The forwarding configuration and the cache. */
    public ForwardingState forwarding() {
        return forward.state();
    }

    /** Returns the resolver for alias targets: names outside our zones that services refer to. */
    public AliasResolver aliasResolver() {
        return aliasResolver;
    }

    /** Upstream events since forwarding was configured: queries by protocol, connections and responses. */
    public Map<UpstreamCounter, Long> upstreamEvents() {
        return forward.upstreamEvents();
    }

    /** Starts to answer once alias targets are resolved, or after a few seconds. Called once, by the binding thread. */
    public void begin() {
        ListenersChange bound = initialListeners;
        if (bound == null) {
            throw new IllegalStateException("already started");
        }
        initialListeners = null;
        aliasResolver.follow(changes.config().aliases(), ConfigChanges.MAX_WAIT_FOR_ALIASES);
        bound.commit();
        control.begin();
    }

    /** The listening sockets, for another process to inherit; empty on NIO. */
    public List<SharedSocket> sharedSockets() {
        return listeners.sharedSockets();
    }

    /**
     * Called when another process has inherited the sockets. For at most one second, this process still answers
     * the queries that wait in the sockets. Open connections stay open.
     */
    public void releaseToSuccessor() {
        listeners.releaseToSuccessor();
    }

    /**
     * Called when no other process reads these sockets any more. {@link #close} reads the last queries from the
     * sockets only if this method was called before.
     */
    public void activate() {
        listeners.activate();
    }

    /** Waits until this process has closed the datagram sockets that another process inherited. */
    public void awaitSocketsClosed() {
        listeners.awaitSocketsClosed();
    }

    /** Closes each connection as soon as it is idle. Returns immediately. */
    public void retireConnections() {
        listeners.retireConnections();
    }

    /** The number of open connections. */
    public long openConnections() {
        // Reads the number of closed connections first. Otherwise, a connection that opens and closes between the two
        // reads would be counted as closed but not as opened.
        long closed = stats.sum(DnsCounter.CONNECTIONS_CLOSED);
        return stats.sum(DnsCounter.CONNECTIONS) - closed;
    }

    /**
     * Prepares another configuration while the active one serves: reads and compiles changed zones, reads keys and
     * certificates, and binds new listeners. Blocks until this is done. The new configuration takes effect at the
     * commit. Every query is answered by exactly one of the two configurations.
     *
     * <p>Only one change can be in progress: it must be committed or closed before the next one is prepared.
     *
     * @param inputs the regions of clients, and the pools of the next topology. If these pools change later, the
     *     services adapt. Zones are compiled by the compiler that this frontend was started with.
     * @throws IOException if a listener cannot be bound, a key or a certificate cannot be used, or the configured UDP
     *     implementation does not work; the message states the problem and its cause, and nothing changes
     * @throws IllegalArgumentException if a zone cannot be served, or two zones conflict; nothing changes
     */
    public DnsChange prepare(DnsConfig next, ZoneInputs inputs) throws IOException {
        return changes.prepare(next, inputs, ConfigParts.warnings(next, udp, configuredTransport, transport));
    }

    /** The secondary zones; empty if the frontend was started without a setup of secondary zones. */
    public Optional<SecondaryZones> secondaryZones() {
        return Optional.ofNullable(managedZones).map(ManagedZones::secondaries);
    }

    /**
     * Called when this process has become the owner of the data directory. Queries primaries and accepts updates
     * from now on.
     */
    public void beginManagedZones() {
        if (managedZones != null) {
            managedZones.begin();
        }
    }

    /**
     * Releases the data directory to another process. The future completes after the last write to the directory.
     */
    public CompletableFuture<Void> pauseManagedZones() {
        return managedZones == null ? CompletableFuture.completedFuture(null) : managedZones.pause();
    }

    /**
     * Serves a TXT record in the primary zone that contains its name, until it is withdrawn. Blocks until queries are
     * answered with it; must not be called by the thread that applies configuration changes.
     *
     * @param name the name of the record: absolute, in lower case, without the final dot
     * @param text the text of the record: letters, digits, {@code -} and {@code _}
     * @throws IOException if no primary zone contains the name, or the zone has records that must not exist next to a
     *     TXT record of this name
     */
    public void publishChallenge(String name, String text) throws IOException, InterruptedException {
        if (managedZones == null
                || ChallengeRecords.zone(changes.config(), name).isEmpty()) {
            throw new IOException("no primary zone of this server contains the name " + name);
        }
        managedZones.publishChallenge(name, text);
    }

    /** Stops serving a TXT record that {@link #publishChallenge} has published. Returns immediately. */
    public void withdrawChallenge(String name, String text) {
        if (managedZones != null) {
            managedZones.withdrawChallenge(name, text);
        }
    }

    /**
     * Switches the services to the pools of another topology. These pools must be equal to the current pools. Called on
     * the control plane's thread, while no change is prepared.
     */
    public void switchTopology(ZoneInputs inputs) {
        changes.zones().replaceInputs(inputs.withAliasAddresses(aliasResolver));
    }

    /** The heartbeats of all threads of the frontend. */
    public List<Heartbeat> heartbeats() {
        List<Heartbeat> hearts = new ArrayList<>();
        loops.all().forEach(loop -> hearts.add(loop.heartbeat()));
        listeners.current().forEach(listener -> hearts.addAll(listener.heartbeats()));
        hearts.addAll(queryLog.heartbeats());
        return hearts;
    }

    /** Passes the heartbeats of threads that start later, for new addresses or listeners, to {@code consumer}. */
    public void onAddedHeartbeats(Consumer<List<Heartbeat>> consumer) {
        addedHeartbeats = consumer;
        queryLog.setHeartbeatConsumer(consumer);
    }

    /** All bound addresses, in the order of the listeners, with the actual port where port 0 was configured. */
    public List<InetSocketAddress> addresses() {
        return listeners.current().stream()
                .flatMap(listener -> listener.addresses().stream())
                .toList();
    }

    /** The served zones. */
    public CompiledZones zones() {
        return changes.zones();
    }

    /** The counters of this DNS frontend. */
    public DnsStats stats() {
        return stats;
    }

    /** The UDP implementation in use. */
    public UdpTransport udp() {
        return udp;
    }

    /** The TCP transport: {@code epoll} or {@code nio}. */
    public String transport() {
        return transport.label();
    }

    /** Stops answering and closes every socket. */
    @Override
    public void close() {
        if (initialListeners != null) {
            initialListeners.close();
        }
        if (managedZones != null) {
            CompletableFuture<Void> unused = managedZones.updates().pause(); // updates in progress may still complete
            managedZones.secondaries().close();
        }
        forward.close();
        control.close();
        listeners.close();
        streams.close();
        changes.zones().close();
        loops.close();
        listeners.closeProtocols();
        queryLog.close();
    }
}
