package io.ballast.server;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.config.BallastConfig;
import io.ballast.core.config.ListenerProtocol;
import io.ballast.core.config.TransportKind;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.Reloader;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.health.StandingOrder;
import io.ballast.core.health.StandingOrders;
import io.ballast.core.pool.AddressChange;
import io.ballast.core.pool.Move;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.core.pool.TopologyChange;
import io.ballast.core.watchdog.Death;
import io.ballast.core.watchdog.Watchdog;
import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.DashboardSources;
import io.ballast.dashboard.ListenerStats;
import io.ballast.dashboard.RecordedReloader;
import io.ballast.dns.DnsFrontend;
import io.ballast.http.HttpFrontend;
import io.ballast.http.check.SocketProbe;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.net.transport.NettyTransport;
import io.ballast.server.names.NameLookup;
import io.ballast.server.names.SystemLookup;
import io.ballast.server.reload.Reloadable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The whole process, put together: event loops, pools, health, frontends and dashboard, started in that order and closed
 * in reverse. The one place where modules meet.
 */
public final class Balancer implements Reloadable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Balancer.class);
    private static final boolean ON_LINUX = System.getProperty("os.name", "").startsWith("Linux");

    private static final Duration MOST_WAIT_FOR_ORDERS = Duration.ofSeconds(10);

    private final Consumer<Death> firstDeath;
    private final Lifecycle lifecycle = new Lifecycle();
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Watchdog watchdog = new Watchdog(this::died);
    private final Workers workers;
    private final ControlPlane control;
    private final Background changes;
    private final BackendNames names;
    private final TopologyBuilder topologies;
    private final PoolTls backendTls;
    private final HealthMonitor health;
    private final StandingOrders orders;
    private final HttpFrontend http;
    private final DnsPart dns;
    private final DashboardPart dashboard;
    private volatile Topology topology;
    private volatile Usability usability;
    private volatile List<ListenerStats> listeners = List.of();
    private final RecordedReloader recorded;
    private volatile Reloader reloader = Balancer::withoutFile;

    private Balancer(BallastConfig config, NameLookup lookup, Consumer<Death> firstDeath) throws IOException {
        this.firstDeath = firstDeath;
        try {
            SplittableRandom random = new SplittableRandom();
            this.workers = opened(startWorkers(config, random.split()));
            this.control = opened(ControlPlane.start(Clock.systemUTC()));
            this.changes = opened(Background.of("reload", /* most= */ 1));
            this.names = opened(new BackendNames(lookup, control, this::onTheirTurn, this::move));
            OpenFiles.prepare(config);
            names.lookUp(config);
            this.topologies =
                    new TopologyBuilder(names.resolver(), workers.all().size(), control.clock());
            this.topology = topologies.build(config);
            this.usability = Usability.of(topology, config.dashboard().readyWhen());
            this.backendTls = opened(PoolTls.open(config));
            this.health =
                    opened(new HealthMonitor(control, new SocketProbe(workers, backendTls), random.split(), pools()));
            health.watch(topology);
            this.orders = restoredOrders(opened(new OrderFile(config.dataDir(), control)));
            this.http = opened(HttpFrontend.start(topology, workers, new HealthOfTraffic(health), backendTls));
            reportListeners();
            TransitWatch.start(workers.transit(), control);
            this.dns = opened(new DnsPart(control, watchdog::watch));
            dns.start(config, topology);
            this.recorded = RecordedReloader.of((dryRun, who) -> reloader.reload(dryRun, who), control.clock());
            this.dashboard = opened(new DashboardPart(sources(), control, watchdog::watch));
            dashboard.start(config.dashboard());
            control.execute(() -> names.start(topology));
            opened(startWatchdog());
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Starts everything that the configuration asks for, or nothing.
     *
     * @throws IOException if an address cannot be bound; the message says which and why
     * @throws IllegalStateException if the transport asked for does not work
     */
    public static Balancer start(BallastConfig config) throws IOException {
        return start(config, death -> {});
    }

    /**
     * Like the other.
     *
     * @param firstDeath called at most once, on a thread that serves nothing, when a thread ended or hangs that must not:
     *     nothing brings it back, so the process should end
     */
    static Balancer start(BallastConfig config, Consumer<Death> firstDeath) throws IOException {
        return start(config, name -> SystemLookup.ofProcess().find(name), firstDeath);
    }

    /** @param lookup finds the addresses of backends' names */
    static Balancer start(BallastConfig config, NameLookup lookup, Consumer<Death> firstDeath) throws IOException {
        return new Balancer(config, lookup, firstDeath);
    }

    /**
     * Begins to load what every start needs, on a thread of its own: system libraries and the probing of transports. To be
     * called before the configuration is read, so that both go on at the same time.
     */
    static void prepare() {
        Thread loading = new Thread(() -> NettyTransport.choose(TransportKind.AUTO), "loading");
        loading.setDaemon(true);
        loading.start();
    }

    private Watchdog startWatchdog() {
        workers.all().forEach(worker -> watchdog.watch(List.of(worker.heartbeat())));
        watchdog.watch(List.of(control.heartbeat()));
        http.onLaterHeartbeats(watchdog::watch);
        watchdog.watch(http.heartbeats());
        watchdog.start();
        return watchdog;
    }

    private void died(Death death) {
        String reason = death.text() + "; the process ends";
        lifecycle.failed(reason);
        control.execute(() -> control.timeline().add(Origin.CHECK, "ballast", reason));
        firstDeath.accept(death);
    }

    private static Workers startWorkers(BallastConfig config, SplittableRandom random) {
        boolean datagrams =
                config.listeners().stream().anyMatch(listener -> listener.protocol() == ListenerProtocol.UDP);
        NettyTransport transport = config.hasUnixSockets()
                ? NettyTransport.forUnixSockets(config.transport())
                : NettyTransport.choose(config.transport(), datagrams);
        int cores = Runtime.getRuntime().availableProcessors();
        int loops = config.eventLoops() > 0 ? config.eventLoops() : cores;
        // On Linux, NIO is the last resort: slower, and a sign that system libraries could not be loaded.
        boolean poor = transport.kind() == TransportKind.NIO && config.transport() == TransportKind.AUTO && ON_LINUX;
        LOG.atLevel(poor ? Level.WARN : Level.INFO)
                .log("transport={} event_loops={} reason=\"{}\"", transport.kind(), loops, transport.why());
        return Workers.start(transport, loops, random);
    }

    /** Where pools are compiled after a change: several at a time, so that a small one does not wait for a large one. */
    private Background pools() {
        return opened(Background.of("pools", Math.max(2, Runtime.getRuntime().availableProcessors())));
    }

    /** What operators ordered before the last end of the process is in force before the first request comes. */
    private StandingOrders restoredOrders(OrderFile file) {
        StandingOrders restored = new StandingOrders(control, health, this::topology, this::retire, file::keep);
        List<StandingOrder> kept = file.read();
        if (!kept.isEmpty()) {
            restored.restore(kept)
                    .completeOnTimeout(null, MOST_WAIT_FOR_ORDERS.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
        return restored;
    }

    private void retire(Backend backend) {
        CompletableFuture<Void> unused = http.retire(List.of(backend));
    }

    private DashboardSources sources() {
        return DashboardSources.of(this::topology, control, BuildInfo.load().version())
                .withReadiness(() -> lifecycle.readiness(usability))
                .withEnd(lifecycle::end)
                .withListeners(() -> listeners)
                .withDns(() -> dns.frontend().map(DnsFrontendStats::new))
                .withDnsServices(() -> dns.frontend().map(frontend -> new FrontendServices(frontend.zones())))
                .withReloader(recorded)
                .withOperator(orders);
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    /** Waits until every backend was checked once, or the time is over; returns whether all were. */
    public boolean awaitFirstChecks(Duration most) throws InterruptedException {
        boolean all = true;
        try {
            health.firstResults().get(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            all = false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("first checks failed", e);
        }
        lifecycle.serving();
        return all;
    }

    // ---- another configuration

    @Override
    public BallastConfig config() {
        return topology.config();
    }

    @Override
    public Preparation prepare(BallastConfig next) throws IOException {
        return new BalancerChange(this, next);
    }

    private static CompletableFuture<ReloadReport> withoutFile(boolean dryRun, String who) {
        return CompletableFuture.completedFuture(new ReloadReport(
                ReloadReport.Outcome.REFUSED,
                List.of(),
                List.of(),
                List.of("this process was not started from a file"),
                Duration.ZERO));
    }

    /** Has it reload by this; returns what is to be asked, so that the dashboard shows what became of it. */
    Reloader reloadBy(Reloader other) {
        reloader = other;
        return recorded;
    }

    /** Puts the next topology in force, whose pools are. On the control plane's thread. */
    void follow(TopologyChange change) {
        topology = change.next();
        usability = Usability.of(topology, config().dashboard().readyWhen());
        health.follow(topology, change.changed());
        names.follow(topology);
        names.tell(change.moves());
        orders.follow();
    }

    /** Where changes of the topology are made, one at a time; may block. */
    Executor changes() {
        return changes;
    }

    /** Runs a task on the control plane's thread while no other change of the topology is under way. */
    private void onTheirTurn(Runnable task) {
        changes.execute(() -> {
            CompletableFuture<Void> done = new CompletableFuture<>();
            control.execute(() -> {
                try {
                    task.run();
                } finally {
                    done.complete(null);
                }
            });
            try {
                done.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IllegalStateException("addresses are not changed", e);
            }
        });
    }

    /** Has backends be where their names lead now. On the control plane's thread. */
    private void move(Map<String, InetAddress> addresses) {
        AddressChange change = AddressChange.of(topology, addresses);
        if (change.moves().isEmpty()) {
            return;
        }
        change.commit(control.clock().instant());
        health.follow(topology, change.pools());
        CompletableFuture<Void> unused =
                http.retire(change.moves().stream().map(Move::backend).toList());
        names.tell(change.moves());
    }

    /** Has the listeners reported that are in force now. */
    void reportListeners() {
        listeners = http.inForce().stream()
                .<ListenerStats>map(HttpListenerStats::of)
                .toList();
    }

    BackendNames names() {
        return names;
    }

    TopologyBuilder topologies() {
        return topologies;
    }

    ControlPlane control() {
        return control;
    }

    PoolTls backendTls() {
        return backendTls;
    }

    HealthMonitor health() {
        return health;
    }

    DnsPart dnsPart() {
        return dns;
    }

    DashboardPart dashboardPart() {
        return dashboard;
    }

    // ---- what runs

    public Topology topology() {
        return topology;
    }

    public HttpFrontend http() {
        return http;
    }

    public Optional<DnsFrontend> dns() {
        return dns.frontend();
    }

    /** Where the dashboard listens, if it is served. */
    public Optional<InetSocketAddress> dashboardAddress() {
        return dashboard.dashboard().map(Dashboard::address);
    }

    Workers workers() {
        return workers;
    }

    /** How long a shutdown lets requests run. */
    Duration grace() {
        return config().grace();
    }

    /**
     * Says that it is not ready, stops accepting, serves what runs for at most {@code grace}, then closes everything.
     *
     * @return how many connections were still busy and were cut
     */
    public int shutDown(Duration grace) {
        lifecycle.draining();
        int cut = http.drain(grace);
        close();
        return cut;
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("could not close {}", part, e);
            }
        }
    }
}
