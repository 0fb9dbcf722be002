package io.ballast.server;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.config.BallastConfig;
import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.ListenerProtocol;
import io.ballast.core.config.TransportKind;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.core.watchdog.Death;
import io.ballast.core.watchdog.Watchdog;
import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.DashboardSources;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.http.HttpFrontend;
import io.ballast.http.check.SocketProbe;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The whole process, put together: event loops, pools, health, frontends and dashboard, started in that order and closed
 * in reverse. The one place where modules meet.
 */
public final class Balancer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Balancer.class);
    private static final boolean ON_LINUX = System.getProperty("os.name", "").startsWith("Linux");

    private final BallastConfig config;
    private final Consumer<Death> firstDeath;
    private final Lifecycle lifecycle = new Lifecycle();
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Workers workers;
    private final ControlPlane control;
    private final HealthMonitor health;
    private final Topology topology;
    private final HttpFrontend http;
    private final @Nullable DnsFrontend dns;
    private final @Nullable Dashboard dashboard;

    private Balancer(BallastConfig config, Consumer<Death> firstDeath) throws IOException {
        this.config = config;
        this.firstDeath = firstDeath;
        try {
            SplittableRandom random = new SplittableRandom();
            this.workers = opened(startWorkers(config, random.split()));
            this.control = opened(ControlPlane.start(Clock.systemUTC()));
            int shards = workers.all().size();
            OpenFiles.prepare(config);
            this.topology = new TopologyBuilder(new AddressResolver(), shards, control.clock()).build(config);
            PoolTls backendTls = opened(PoolTls.open(config));
            this.health =
                    opened(new HealthMonitor(control, new SocketProbe(workers, backendTls), random.split(), pools()));
            health.watch(topology);
            this.http = opened(HttpFrontend.start(topology, workers, health::connectFailed, backendTls));
            TransitWatch.start(workers.transit(), control);
            this.dns = startDns(config, topology, control);
            this.dashboard = startDashboard(control);
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
     * @throws IllegalStateException if the transport asked for does not work, or a backend's name has no address
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
        return new Balancer(config, firstDeath);
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
        Watchdog watchdog = new Watchdog(this::died);
        workers.all().forEach(worker -> watchdog.watch(List.of(worker.heartbeat())));
        watchdog.watch(List.of(control.heartbeat()));
        watchdog.watch(http.heartbeats());
        if (dns != null) {
            dns.onLaterHeartbeats(watchdog::watch);
            watchdog.watch(dns.heartbeats());
        }
        if (dashboard != null) {
            watchdog.watch(List.of(dashboard.heartbeat()));
        }
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

    private @Nullable DnsFrontend startDns(BallastConfig config, Topology pools, ControlPlane control)
            throws IOException {
        Optional<DnsConfig> wanted = config.dns();
        if (wanted.isEmpty()) {
            return null;
        }
        if (wanted.get().zones().stream().anyMatch(zone -> zone.dnssec().isPresent())) {
            opened(DataDirectory.hold(config.dataDir()));
        }
        SigningSetup signing =
                new SigningSetup(config.dataDir(), control, opened(Background.of("dns-sign", /* most= */ 1)));
        ZoneInputs inputs = ZoneInputs.of(pools, startGeo(config, control))
                .compiledBy(opened(Background.of("dns-compile", /* most= */ 1)));
        DnsFrontend started =
                opened(DnsFrontend.start(wanted.get(), inputs, config.eventLoops(), config.transport(), signing));
        LOG.info(
                "dns_udp={} dns_tcp={} addresses={} reason=\"{}\"",
                started.udp().kind(),
                started.transport(),
                started.addresses(),
                started.udp().why());
        return started;
    }

    private Optional<GeoSource> startGeo(BallastConfig config, ControlPlane control) throws IOException {
        if (config.geo().isEmpty()) {
            return Optional.empty();
        }
        Background background = opened(Background.of("geo", /* most= */ 1));
        return Optional.of(opened(GeoSource.open(config.geo().get(), control, background)));
    }

    private @Nullable Dashboard startDashboard(ControlPlane control) throws IOException {
        if (!config.dashboard().enabled()) {
            return null;
        }
        Usability usability = Usability.of(topology, config.dashboard().readyWhen());
        DashboardSources sources = DashboardSources.of(
                        this::topology, control, BuildInfo.load().version())
                .withReadiness(() -> lifecycle.readiness(usability))
                .withEnd(lifecycle::end)
                .withListeners(listenerStats());
        if (dns != null) {
            sources = sources.withDns(new DnsFrontendStats(dns)).withDnsServices(new FrontendServices(dns.zones()));
        }
        return opened(Dashboard.start(config.dashboard(), sources));
    }

    private List<HttpListenerStats> listenerStats() {
        List<HttpListenerStats> stats = new ArrayList<>();
        for (int i = 0; i < http.listeners().size(); i++) {
            stats.add(new HttpListenerStats(
                    http.listeners().get(i), http.port(i), new ListenerCertificates(http.identities(i))));
        }
        return stats;
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

    public Topology topology() {
        return topology;
    }

    public HttpFrontend http() {
        return http;
    }

    public Optional<DnsFrontend> dns() {
        return Optional.ofNullable(dns);
    }

    /** Where the dashboard listens, if it is served. */
    public Optional<InetSocketAddress> dashboardAddress() {
        return Optional.ofNullable(dashboard).map(Dashboard::address);
    }

    Workers workers() {
        return workers;
    }

    /** How long a shutdown lets requests run. */
    Duration grace() {
        return config.grace();
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
