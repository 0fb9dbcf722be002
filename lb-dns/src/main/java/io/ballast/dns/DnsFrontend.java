package io.ballast.dns;

import io.ballast.core.pool.Topology;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.answer.DecisionNames;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.follow.FollowedNames;
import io.ballast.dns.forward.ForwardingState;
import io.ballast.dns.forward.ListSetup;
import io.ballast.dns.forward.UpstreamTrouble;
import io.ballast.dns.forward.upstream.UpstreamCounter;
import io.ballast.dns.forward.upstream.UpstreamTls;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.Answerers;
import io.ballast.dns.net.stream.StreamLoops;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.secondary.SecondarySetup;
import io.ballast.dns.secondary.SecondaryZones;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.update.Updates;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.KeptChanges;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.net.config.TransportKind;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.takeover.InheritedSockets;
import io.ballast.net.takeover.SharedSocket;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;

/**
 * Serves the zones of a configuration on all its listeners, from its start until it is closed. The answers follow the health
 * of the pools that the services stand on.
 *
 * <p>Thread safety: started and closed by one thread; the rest may be called by any.
 */
public final class DnsFrontend implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DnsFrontend.class);

    /** After that, services answer SERVFAIL that are aliases of names nothing is known of. */
    private static final Duration MOST_WAIT_FOR_ALIASES = Duration.ofSeconds(3);

    private final TransportKind wanted;
    private final NettyTransport transport;
    private final UdpChoice udp;
    private final DnsStats stats;
    private final ActiveAnswerConfig active;
    private final QueryLog queryLog = new QueryLog(DecisionNames::of);
    private final FrontendLoops<AnswerLoop> loops;
    private final StreamLoops streams;
    private final Listeners listeners;
    private final FollowedNames followed;
    private final ForwardPart forward;
    private final ControlPart control;
    private final @Nullable KeptZones kept;
    private final AtomicBoolean changing = new AtomicBoolean();
    /** What was bound and serves nobody yet; null from its begin on. */
    private @Nullable ListenersChange first;

    private volatile DnsConfig config;
    private volatile CompiledZones zones;
    private volatile Consumer<List<Heartbeat>> laterHeartbeats = hearts -> {};
    private final LaterTrouble trouble = new LaterTrouble();
    private volatile UpstreamTls upstreamTls = UpstreamTls.NONE;

    private DnsFrontend(
            DnsConfig config,
            CompiledZones zones,
            FollowedNames followed,
            int eventLoops,
            TransportKind wanted,
            @Nullable ListSetup lists,
            @Nullable KeptZones kept) {
        this.config = config;
        this.followed = followed;
        this.kept = kept;
        this.wanted = wanted;
        this.transport = NettyTransport.forDatagrams(wanted);
        this.udp = UdpChoice.of(config.udp(), wanted, transport);
        this.zones = zones;
        this.stats = kept == null ? new DnsStats(/* shards= */ 0) : kept.stats();
        Protection protection =
                Protection.of(config.cookies(), config.rateLimit(), InstantSource.system(), System::nanoTime);
        this.active =
                new ActiveAnswerConfig(new AnswerConfig(zones.published(), ConfigParts.answering(config, protection)));
        Answerers answerers = new Answerers(active, stats, queryLog);
        this.loops = AnswerLoop.start(transport, eventLoops, answerers);
        this.forward = new ForwardPart(
                loops,
                active,
                stats,
                trouble,
                (backend, protocol) -> upstreamTls.of(backend, protocol),
                queryLog,
                followed,
                lists);
        this.control = new ControlPart(active, stats, queryLog, kept);
        this.streams = new StreamLoops(loops, config.tcp());
        this.listeners = new Listeners(udp, loops, answerers, streams, hearts -> laterHeartbeats.accept(hearts));
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
        DnsFrontend frontend =
                bind(config, inputs, eventLoops, transport, signing, /* lists= */ null, InheritedSockets.none());
        frontend.begin();
        return frontend;
    }

    /** Like the other, where nothing comes from other servers. */
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
     * Like {@link #start}, but answers only from {@link #begin} on; until then, what comes waits in the sockets.
     *
     * @param lists what lists of rules need; null where there are none
     * @param secondaries what zones from other servers need; null where these stay as if nothing had come
     * @param inherited sockets of another process, gone on with where they are what is needed
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
        KeptZones kept =
                secondaries == null ? null : KeptZones.start(secondaries, config, new DnsStats(/* shards= */ 0));
        FollowedNames followed = new FollowedNames(inputs.compiler(), inputs.nanoTime());
        DnsFrontend frontend = bind(
                config,
                CompiledZones.start(kept == null ? config : kept.first(), inputs.following(followed), signing),
                followed,
                eventLoops,
                transport,
                lists,
                kept,
                inherited);
        if (kept != null) {
            kept.commit(frontend.new Taking(kept), frontend::takeUpLater);
        }
        return frontend;
    }

    /** Like the other, without geography, for zones of which none is signed. */
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
        FollowedNames followed = new FollowedNames(inputs.compiler(), inputs.nanoTime());
        return bind(
                config,
                CompiledZones.start(config, inputs.following(followed)),
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
            FollowedNames followed,
            int eventLoops,
            TransportKind transport,
            @Nullable ListSetup lists,
            @Nullable KeptZones kept,
            InheritedSockets inherited)
            throws IOException {
        int loops = eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops;
        DnsFrontend frontend = new DnsFrontend(config, zones, followed, loops, transport, lists, kept);
        try {
            frontend.startElsewhere(config, zones.inputs().topology());
            frontend.queryLog.commit(frontend.queryLog.prepare(
                    ConfigParts.logging(config), config.forward().isPresent()));
            frontend.loops.inherit(inherited);
            frontend.first = frontend.listeners.prepare(config.listeners());
            return frontend;
        } catch (IOException | RuntimeException e) {
            frontend.close();
            throw e;
        }
    }

    private void startElsewhere(DnsConfig config, Topology pools) throws IOException {
        ForwardPart.Prepared prepared = forward.prepare(config, pools);
        AnswerConfig present = active.current();
        ControlPart.Prepared controlling = control.prepare(config, zones, pools);
        active.activate(
                new AnswerConfig(present.answers(), present.settings(), prepared.source(), controlling.messages()));
        control.commit(controlling);
        forward.commit(prepared);
    }

    /** The log of its queries. */
    public QueryLog queryLog() {
        return queryLog;
    }

    /** Has {@code listener} told of resolvers that fail. */
    public void onUpstreamTrouble(UpstreamTrouble listener) {
        trouble.tell(listener);
    }

    /** Has resolvers asked over TLS by {@code tls}, where they are to be; before, none of them is. */
    public void secureUpstreams(UpstreamTls tls) {
        upstreamTls = tls;
    }

    /** What is forwarded, and what is kept of it. */
    public ForwardingState forwarding() {
        return forward.state();
    }

    /** The names outside the zones whose addresses services answer with. */
    public FollowedNames followedNames() {
        return followed;
    }

    /** What happened on the way to resolvers since forwarding was configured: queries by protocol, connections, and what came. */
    public Map<UpstreamCounter, Long> upstreamEvents() {
        return forward.upstreamEvents();
    }

    /** Answers from now on, once it is known what services are aliases of, or soon. Called once, by the thread that has bound the listeners. */
    public void begin() {
        ListenersChange bound = first;
        if (bound == null) {
            throw new IllegalStateException("begun already");
        }
        first = null;
        followed.follow(config.aliases(), MOST_WAIT_FOR_ALIASES);
        bound.commit();
        control.begin();
    }

    /** The sockets by which queries come in, as another process may go on with them; none on NIO. */
    public List<SharedSocket> shared() {
        return listeners.shared();
    }

    /** Another process has these sockets, too: answers what waits there for a second at most; open connections stay. */
    public void leaveToOther() {
        listeners.leaveToOther();
    }

    /** The process whose sockets this one has gone on with takes no query in by them any more. */
    public void takeCharge() {
        listeners.takeCharge();
    }

    /** Waits until the sockets for datagrams are closed that were left to another process, which may not have needed them. */
    public void awaitLeft() {
        listeners.awaitLeft();
    }

    /** Ends connections, each when it rests. Returns at once. */
    public void retireConnections() {
        listeners.retireConnections();
    }

    /** How many connections are open. */
    public long openConnections() {
        long closed = stats.sum(DnsCounter.CONNECTIONS_CLOSED);
        return stats.sum(DnsCounter.CONNECTIONS) - closed;
    }

    /**
     * Gets another configuration ready beside the one in force: reads and compiles the zones that have changed, reads keys and
     * certificates, binds what listeners are new. Takes as long as that does. Queries are answered by the one in force until
     * the change is committed, each by one of the two as a whole.
     *
     * <p>One change at a time: it must be committed or closed before the next is prepared.
     *
     * @param inputs the pools of the next topology, which may still be as they were: services follow when they change; and the
     *     regions of clients. They are compiled by the compiler that this frontend was started with.
     * @throws IOException if a listener cannot be bound, or a key or a certificate cannot be used, or UDP cannot be served as
     *     it is to be; the message says which and why, and everything stays as it was
     * @throws IllegalArgumentException if a zone cannot be served, or zones contradict each other; likewise
     */
    public DnsChange prepare(DnsConfig next, ZoneInputs inputs) throws IOException {
        if (!changing.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            throw new IllegalStateException("a change that is neither committed nor closed");
        }
        CompiledZones before = zones;
        CompiledZones nextZones = before;
        ForwardPart.Prepared forwarding = ForwardPart.Prepared.NONE;
        QueryLog.Prepared logging = null;
        try {
            List<String> warnings = ConfigParts.warnings(next, udp, wanted, transport);
            KeptZones.Prepared keeping = kept == null ? null : kept.prepare(next);
            ZoneInputs around = inputs.following(followed);
            followed.followAlso(next.aliases(), MOST_WAIT_FOR_ALIASES);
            nextZones = before.next(keeping == null ? next : keeping.config(), around);
            Protection protection = active.current().settings().protection().next(next.cookies(), next.rateLimit());
            forwarding = forward.prepare(next, inputs.topology());
            ControlPart.Prepared controlling = control.prepare(next, nextZones, inputs.topology());
            AnswerConfig answers = new AnswerConfig(
                    nextZones.published(),
                    ConfigParts.answering(next, protection),
                    forwarding.source(),
                    controlling.messages());
            logging = queryLog.prepare(ConfigParts.logging(next), next.forward().isPresent());
            return new Change(new PreparedParts(
                    next,
                    around,
                    keeping,
                    nextZones,
                    answers,
                    forwarding,
                    logging,
                    controlling,
                    listeners.prepare(next.listeners()),
                    warnings));
        } catch (IOException | RuntimeException | Error e) {
            if (logging != null) {
                queryLog.giveUp(logging);
            }
            forward.giveUp(forwarding);
            giveUp(nextZones);
            throw e;
        }
    }

    /** Serves what is kept of zones now. Where changes are made, when nothing is prepared. */
    private final class Taking implements Updates.Served {

        private final KeptZones part;

        Taking(KeptZones part) {
            this.part = part;
        }

        @Override
        public Optional<ZoneContents> contents(Name apex) {
            return zones.contents(apex);
        }

        @Override
        public void takeUpAll() throws IOException {
            takeUp(/* merges= */ true, Map.of());
        }

        @Override
        public void takeUp(String zone, ZoneContents contents) throws IOException {
            takeUp(/* merges= */ false, Map.of(zone, contents));
        }

        void takeUp(boolean merges, Map<String, ZoneContents> contents) throws IOException {
            if (!changing.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
                throw new IllegalStateException("a change that is neither committed nor closed");
            }
            CompiledZones nextZones = zones;
            try {
                KeptZones.Prepared prepared = merges ? part.prepare(config) : part.prepareAgain(config);
                nextZones = merges
                        ? zones.next(prepared.config(), zones.inputs())
                        : zones.nextOfKept(prepared.config(), new KeptChanges(prepared.changed(), contents));
                CompiledZones ready = nextZones;
                ControlPart.Prepared controlling =
                        control.prepare(prepared.config(), ready, zones.inputs().topology());
                part.onControl(() -> {
                    active.activate(active.current().with(ready.published(), controlling.messages()));
                    control.commit(controlling);
                    if (ready != zones) {
                        zones = ready;
                        ready.begin();
                    }
                    part.commit(prepared);
                });
                changing.set(false);
            } catch (IOException | RuntimeException | Error e) {
                giveUp(nextZones);
                throw e;
            }
        }
    }

    private void takeUpLater() {
        try {
            new Taking(Objects.requireNonNull(kept)).takeUp(/* merges= */ false, Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The zones that come from other servers; empty if this frontend was started without what they need. */
    public Optional<SecondaryZones> secondaryZones() {
        return Optional.ofNullable(kept).map(KeptZones::secondaries);
    }

    /** This process has the directory in which zones are kept: primaries are asked, and messages may change zones. */
    public void beginKeeping() {
        if (kept != null) {
            kept.begin();
        }
    }

    /** Another process gets it; what is returned completes when nothing is written there any more. */
    public CompletableFuture<Void> pauseKeeping() {
        return kept == null ? CompletableFuture.completedFuture(null) : kept.pause();
    }

    /** Goes on with the pools of another topology, which are the same. On the control plane's thread, when nothing is prepared. */
    public void keepOn(ZoneInputs inputs) {
        zones.keepOn(inputs.following(followed));
    }

    private void giveUp(CompiledZones prepared) {
        if (prepared != zones) {
            prepared.close();
        }
        followed.follow(config.aliases());
        changing.set(false);
    }

    /** A change that waits for its commit. */
    private final class Change implements DnsChange {

        private final PreparedParts parts;
        private boolean done;

        Change(PreparedParts parts) {
            this.parts = parts;
        }

        @Override
        public List<String> warnings() {
            return parts.warnings();
        }

        @Override
        public boolean hasOtherZones() {
            return parts.zones() != zones;
        }

        @Override
        public void commit() {
            done = true;
            active.activate(parts.answers());
            forward.commit(parts.forwarding());
            queryLog.commit(parts.logging());
            control.commit(parts.controlling());
            config = parts.config();
            followed.follow(config.aliases());
            if (hasOtherZones()) {
                zones = parts.zones();
                zones.begin();
            } else {
                zones.keepOn(parts.inputs());
            }
            if (kept != null && parts.keeping() != null) {
                kept.commit(parts.keeping());
            }
            streams.limits(config.tcp());
            parts.listeners().commit();
            changing.set(false);
        }

        @Override
        public void settle() {
            parts.listeners().settle();
        }

        @Override
        public void close() {
            if (!done) {
                done = true;
                parts.listeners().close();
                queryLog.giveUp(parts.logging());
                forward.giveUp(parts.forwarding());
                giveUp(parts.zones());
            }
        }
    }

    /** The heartbeats of its threads. */
    public List<Heartbeat> heartbeats() {
        List<Heartbeat> hearts = new ArrayList<>();
        loops.all().forEach(loop -> hearts.add(loop.heartbeat()));
        listeners.current().forEach(listener -> hearts.addAll(listener.heartbeats()));
        hearts.addAll(queryLog.heartbeats());
        return hearts;
    }

    /** Has {@code consumer} told of the threads that serve addresses which appear later, or are listened on later. */
    public void onLaterHeartbeats(Consumer<List<Heartbeat>> consumer) {
        laterHeartbeats = consumer;
        queryLog.onLaterHeartbeats(consumer);
    }

    /** Every address that is bound now, in the order of the listeners, with the ports chosen where 0 was asked for. */
    public List<InetSocketAddress> addresses() {
        return listeners.current().stream()
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
        if (first != null) {
            first.close();
        }
        if (kept != null) {
            CompletableFuture<Void> unused = kept.updates().pause(); // what is under way may go on
            kept.secondaries().close();
        }
        forward.close();
        control.close();
        listeners.close();
        streams.close();
        zones.close();
        loops.close();
        listeners.closeProtocols();
        queryLog.close();
    }
}
