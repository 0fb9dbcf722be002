package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.core.backend.Backend;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Reloader;
import io.ballast.core.health.ExternalOverrides;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.health.Operator;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.core.pool.TopologyChange;
import io.ballast.core.watchdog.ThreadFailure;
import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import io.ballast.dashboard.source.ListenerStats;
import io.ballast.dashboard.source.RecordingReloader;
import io.ballast.discovery.ConfiguredSources;
import io.ballast.discovery.Discovery;
import io.ballast.discovery.SharedEdits;
import io.ballast.discovery.names.NameLookup;
import io.ballast.discovery.names.SystemLookup;
import io.ballast.dns.DnsFrontend;
import io.ballast.http.HttpFrontend;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.net.takeover.InheritedSockets;
import io.ballast.policy.PolicyRegistry;
import io.ballast.policy.work.PolicyServices;
import io.ballast.replication.CacheFlush;
import io.ballast.replication.ClusterPart;
import io.ballast.replication.LocalCaches;
import io.ballast.replication.configuration.ConfigurationTarget;
import io.ballast.server.acme.AcmePart;
import io.ballast.server.agent.AgentsPart;
import io.ballast.server.check.ExecPermission;
import io.ballast.server.check.HealthChecks;
import io.ballast.server.event.TimelinePolicyEvents;
import io.ballast.server.event.TransitWatch;
import io.ballast.server.host.BuildInfo;
import io.ballast.server.host.Closer;
import io.ballast.server.host.DataDirectory;
import io.ballast.server.host.DataDirectoryCheck;
import io.ballast.server.host.EssentialThreads;
import io.ballast.server.host.OpenFiles;
import io.ballast.server.override.BackendOverrides;
import io.ballast.server.override.OverrideFile;
import io.ballast.server.policy.PolicyCaches;
import io.ballast.server.policy.PolicyGeography;
import io.ballast.server.reload.AbsentFileReloader;
import io.ballast.server.reload.Reloadable;
import io.ballast.telemetry.Telemetry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Assembles the whole process: event loops, pools, health, frontends and dashboard. They are started in this
 * order and closed in reverse order. Only this class depends on all modules.
 */
public final class Balancer implements Reloadable, AutoCloseable {

    final Lifecycle lifecycle = new Lifecycle();
    private final Closer parts = new Closer();
    final EssentialThreads threads;
    private final Workers workers;
    private final ControlPlane control;
    private final TopologyChanges changes;
    private final BackendNames names;
    private final PoolGeography geography;
    private final TopologyBuilder topologies;
    private final PoolTls backendTls;
    private final HealthMonitor health;
    private final BackendOverrides overrides;
    private final OverrideFile overrideFile;
    final Gate gate = new Gate();
    final Operator operator;
    final ExternalOverrides externalOverrides;
    private final PolicyGeography policyGeography;
    private final Telemetry telemetry;
    private final PolicyRegistry policies;
    private final AcmePart acme;
    private final SecretChanges secrets;
    private final ClusterPart cluster;
    private final AgentsPart agents;
    private final HttpFrontend http;
    private final DnsPart dns;
    private final DashboardPart dashboard;
    final ForwarderStats forwarderStats = ForwarderStats.start(InstantSource.system());
    final Discovery discovery;
    private final HandOver handOver;
    private final RuntimeChanges runtimeChanges = new RuntimeChanges(this);
    private final GracefulShutdown shutdown = new GracefulShutdown(this);
    private volatile ActiveConfig active;
    private volatile Topology topology;
    volatile ReadinessCheck readiness;
    volatile List<ListenerStats> listeners = List.of();

    final RecordingReloader recordingReloader;
    private volatile Reloader reloader = new AbsentFileReloader();

    private Balancer(
            BallastConfig file,
            NameLookup lookup,
            Consumer<ThreadFailure> onFirstFailure,
            Optional<InheritedSockets> takenOver)
            throws IOException {
        boolean follows = takenOver.isPresent();
        InheritedSockets inherited = takenOver.orElseGet(InheritedSockets::none);
        try {
            ExecPermission.require(file);
            SplittableRandom random = new SplittableRandom();
            this.workers = parts.register(EventLoops.start(file, random.split()));
            workers.loops().inherit(inherited);
            this.control = parts.register(ControlPlane.start(Clock.systemUTC()));
            this.threads = new EssentialThreads(control, lifecycle::markFailed, onFirstFailure);
            this.changes = parts.register(new TopologyChanges(control, follows));
            this.agents = parts.register(new AgentsPart(
                    file,
                    control,
                    this::topology,
                    this::mergedConfig,
                    this::health,
                    this::learnRoundTrips,
                    this::isDiscoveryRefused));
            this.discovery = parts.register(new Discovery(
                    control,
                    changes,
                    agents.sources(new ConfiguredSources()),
                    file.dataDir(),
                    () -> DataDirectory.acquireBackends(file.dataDir()),
                    runtimeChanges::apply));
            DataDirectoryCheck.reportIfReadOnly(file, control);
            this.active = ActiveConfig.of(file, discovery.restore(file));
            BallastConfig config = active.mergedConfig();
            this.names = parts.register(
                    new BackendNames(lookup, control, changes::executeOnControlPlane, runtimeChanges::applyAddresses));
            OpenFiles.prepare(config);
            names.lookUp(config);
            this.geography = parts.register(new PoolGeography(control));
            geography.start(config);
            this.topologies =
                    new TopologyBuilder(names.resolver(), workers.all().size(), control.clock(), geography);
            this.topology = topologies.build(config.pools());
            this.readiness = ReadinessCheck.of(config, topology);
            this.backendTls = parts.register(PoolTls.open(FrontendConfig.backendTls(config)));
            this.health = HealthChecks.start(parts, control, workers, backendTls, random.split());
            health.watch(topology);
            this.secrets = new SecretChanges(this, config);
            this.overrideFile = parts.register(new OverrideFile(config.dataDir(), control));
            if (follows) {
                overrideFile.suspendWrites();
            }
            this.cluster = parts.register(new ClusterPart(
                    config, this::mergedConfig, control, this::topology, health, this::flush, secrets::apply));
            this.overrides = overrideFile.restore(
                    health,
                    this::topology,
                    this::closeConnectionsTo,
                    cluster::overridesChanged,
                    cluster.externalOverrides());
            cluster.connect(overrides.operator(), overrides.external(), new SharedEdits(discovery));
            this.operator = cluster.operator(new GatedOperator(overrides.operator(), gate));
            this.externalOverrides = cluster.externalOverrides(new GatedExternalOverrides(overrides.external(), gate));
            this.policyGeography = parts.register(new PolicyGeography(control));
            policyGeography.start(config);
            this.telemetry = parts.register(
                    new Telemetry(workers.all().size(), BuildInfo.load().version(), control.clock()));
            telemetry.prepare(config.otlp()).commit();
            this.policies = parts.register(PolicyRegistry.start(
                    workers.all().size(),
                    new PolicyServices(new TimelinePolicyEvents(control), policyGeography, telemetry, cluster.limits()),
                    config.policies().values(),
                    config.pools().values()));
            this.acme = parts.register(
                    new AcmePart(this::mergedConfig, control, this::http, this::dns, cluster.certificates(), follows));
            this.http = parts.register(HttpFrontend.bind(
                    FrontendConfig.http(config),
                    topology,
                    policies.active(),
                    workers,
                    new BackendHealthListener(health),
                    backendTls));
            http.findHostCertificates(acme.onDemand());
            http.shareTicketSecrets(secrets::ticketSecrets);
            if (!follows) {
                http.accept();
            }
            reportListeners();
            TransitWatch.start(workers.transit(), control);
            this.dns = parts.register(new DnsPart(
                    control,
                    threads.watchdog()::watch,
                    new ResolverHealthListener(health),
                    forwarderStats.listeners(),
                    new ResolverTls(backendTls),
                    changes,
                    inherited,
                    follows));
            dns.shareCookieSecrets(secrets.cookieSecrets());
            dns.start(config, topology);
            this.recordingReloader =
                    RecordingReloader.of((dryRun, who) -> reloader.reload(dryRun, who), control.clock());
            DashboardInputs inputs = new DashboardInputs(this);
            cluster.countQueries(inputs::dnsQueries);
            this.dashboard = parts.register(new DashboardPart(inputs.sources(), control, threads.watchdog()::watch));
            dashboard.startOrWait(config.dashboard(), inherited);
            telemetry.setSource(new DashboardMetrics(dashboard::dashboard));
            parts.register(telemetry::finishMetrics); // parts are closed in reverse order: metrics before the dashboard
            this.handOver = new HandOver(this, lifecycle, changes, gate, discovery, overrideFile, inherited);
            control.execute(() -> names.start(topology));
            discovery.start();
            acme.begin();
            if (!follows) {
                joinCluster();
                agents.start(cluster.agentSharing());
            }
            parts.register(threads.start(workers, http));
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Starts all components that the configuration enables. If a component fails to start, the started components are
     * closed.
     *
     * @throws IOException if an address cannot be bound; the message names it and the reason
     * @throws IllegalStateException if the configured transport does not work
     */
    public static Balancer start(BallastConfig config) throws IOException {
        return start(config, failure -> {});
    }

    /**
     * Like {@link #start(BallastConfig)}, and reports failed threads.
     *
     * @param onFirstFailure called at most once when an essential thread has ended or hangs, on a thread that
     *     handles no traffic. Such a thread cannot be restarted, so the process should end
     */
    public static Balancer start(BallastConfig config, Consumer<ThreadFailure> onFirstFailure) throws IOException {
        return start(config, NameLookup.deferred(SystemLookup::ofProcess), onFirstFailure);
    }

    /** @param lookup finds the addresses of backends' names */
    public static Balancer start(BallastConfig config, NameLookup lookup, Consumer<ThreadFailure> onFirstFailure)
            throws IOException {
        return new Balancer(config, lookup, onFirstFailure, Optional.empty());
    }

    /**
     * Starts alongside a previous process that is still serving. Accepts no clients before {@link
     * HandOver#startServing}, and writes no state before {@link HandOver#activate}.
     *
     * @param sockets the listening sockets of the previous process; used for listeners with the same address
     */
    public static Balancer follow(
            BallastConfig config, Consumer<ThreadFailure> onFirstFailure, InheritedSockets sockets) throws IOException {
        return new Balancer(config, NameLookup.deferred(SystemLookup::ofProcess), onFirstFailure, Optional.of(sockets));
    }

    /** Joins the cluster, if one is configured, after this process has taken over all files. */
    void joinCluster() throws IOException {
        cluster.start();
        dns.afterCacheRestore(cluster::openCaches);
    }

    private int flush(CacheFlush flush) {
        return new LocalCaches(new PolicyCaches(policies), this::dns).flush(flush);
    }

    private void learnRoundTrips(List<RoundTrip> times) {
        dns().ifPresent(frontend -> new FrontendServices(frontend, cluster.flushes()).addRoundTrips(times));
    }

    private void closeConnectionsTo(Backend backend) {
        CompletableFuture<Void> unused =
                http.retire(List.of(backend)).thenCompose(done -> http.closeSessions(List.of(backend)));
    }

    /**
     * Waits until every backend was checked once, or {@code max} has passed. Returns whether all backends were
     * checked.
     */
    public boolean awaitFirstChecks(Duration max) throws InterruptedException {
        boolean all = HealthChecks.awaitFirst(health, max);
        lifecycle.markServing();
        return all;
    }

    // ---- takeover and hand-over between processes

    /** The hand-over from the previous process, and to the next process. */
    public HandOver handOver() {
        return handOver;
    }

    // ---- configuration changes

    @Override
    public BallastConfig config() {
        return active.fileConfig();
    }

    /** The active configuration: the file's configuration with the discovered and edited backends. */
    public BallastConfig mergedConfig() {
        return active.mergedConfig();
    }

    @Override
    public Preparation prepare(BallastConfig next) throws IOException {
        handOver.requireNotInProgress();
        requireNotDraining();
        ExecPermission.require(next);
        return BalancerChange.fromFile(this, ActiveConfig.of(next, active.overlay()));
    }

    void requireNotDraining() {
        if (lifecycle.isDraining()) {
            throw new IllegalStateException("the process is shutting down");
        }
    }

    /** Sets the reloader; returns a wrapper that records results for the dashboard. */
    public Reloader setReloader(Reloader other) {
        reloader = other;
        return recordingReloader;
    }

    /**
     * Starts to check and activate configurations of the cluster, if there is one. Called after {@link #setReloader}.
     */
    public void shareConfiguration(ConfigurationTarget target) {
        cluster.configuration().ifPresent(shared -> shared.open(target));
    }

    /** Returns the active configuration with {@code file} in place of the configuration from the file. */
    ActiveConfig withFileConfig(BallastConfig file) {
        return ActiveConfig.of(file, active.overlay());
    }

    /** Replaces the active configuration by a configuration with the same effect. */
    void setActive(ActiveConfig next) {
        active = next;
    }

    /** Activates the next topology; its pools are already active. Called on the control plane's thread. */
    public void follow(TopologyChange change, ActiveConfig next) {
        active = next;
        topology = change.next();
        readiness = ReadinessCheck.of(next.mergedConfig(), topology);
        health.watchAndRefresh(topology, change.changed());
        names.follow(topology);
        names.recordMoves(change.moves());
        overrides.dropRemoved();
        agents.topologyChanged();
        discovery.follow(next.fileConfig());
        cluster.topologyChanged(); // after discovery: reads the edits that apply to the new file
    }

    /** Executes changes of the topology, one at a time; may block. */
    public Executor changes() {
        return changes;
    }

    /** Rebuilds the list of listener statistics after the active listeners have changed. */
    public void reportListeners() {
        listeners = http.activeListeners().stream()
                .<ListenerStats>map(HttpListenerStats::of)
                .toList();
    }

    public BackendNames names() {
        return names;
    }

    public PoolGeography geography() {
        return geography;
    }

    public TopologyBuilder topologies() {
        return topologies;
    }

    public ControlPlane control() {
        return control;
    }

    public PoolTls backendTls() {
        return backendTls;
    }

    public HealthMonitor health() {
        return health;
    }

    public DnsPart dnsPart() {
        return dns;
    }

    public DashboardPart dashboardPart() {
        return dashboard;
    }

    // ---- state

    public Topology topology() {
        return topology;
    }

    PolicyGeography policyGeography() {
        return policyGeography;
    }

    PolicyRegistry policies() {
        return policies;
    }

    Telemetry telemetry() {
        return telemetry;
    }

    AcmePart acme() {
        return acme;
    }

    ClusterPart cluster() {
        return cluster;
    }

    private boolean isDiscoveryRefused() {
        return discovery.isRefused();
    }

    AgentsPart agents() {
        return agents;
    }

    /** The address on which this process accepts reports of agents; empty if it accepts none. */
    public Optional<InetSocketAddress> agentsAddress() {
        return agents.address();
    }

    public HttpFrontend http() {
        return http;
    }

    public Optional<DnsFrontend> dns() {
        return dns.frontend();
    }

    /** The address of the dashboard, if it is served. */
    public Optional<InetSocketAddress> dashboardAddress() {
        return dashboard.dashboard().flatMap(Dashboard::address);
    }

    /** The address of the probes, if they have their own listener. */
    public Optional<InetSocketAddress> probesAddress() {
        return dashboard.dashboard().flatMap(Dashboard::probesAddress);
    }

    public Workers workers() {
        return workers;
    }

    /** Grace period of a shutdown. */
    public Duration grace() {
        return config().grace();
    }

    /**
     * Time for which a shutdown accepts connections after /readyz has failed. Zero if the next process serves the
     * listeners already.
     */
    public Duration announceDelay() {
        return handOver.isTakenOver() ? Duration.ZERO : config().announceDelay();
    }

    /**
     * Becomes unready, accepts connections for {@code announceDelay}, then stops accepting, serves exchanges in flight
     * for at most {@code grace}, then closes everything. A failure of a thread ends the delay.
     *
     * @return number of busy connections that were closed
     */
    public int shutDown(Duration announceDelay, Duration grace) {
        lifecycle.markDraining();
        shutdown.announce(announceDelay);
        int cut = shutdown.drain(grace);
        close();
        return cut;
    }

    /** Closes all connections immediately during a graceful shutdown. */
    public void closeAllConnections() {
        shutdown.cutAll();
    }

    @Override
    public void close() {
        parts.close();
    }
}
