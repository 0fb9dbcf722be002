package io.ballast.dashboard;

import io.ballast.core.config.DashboardConfig;
import io.ballast.core.control.Event;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dashboard.access.Access;
import io.ballast.dashboard.json.StreamJson;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.StreamHub;
import io.ballast.dashboard.metrics.MetricsOnDemand;
import io.ballast.dashboard.process.ProcessReading;
import io.ballast.dashboard.server.AdminServer;
import io.ballast.dashboard.server.Endpoint;
import io.ballast.dashboard.server.EndpointConfig;
import io.ballast.dashboard.server.EndpointConfig.Audience;
import io.ballast.dashboard.server.Gate;
import io.ballast.dashboard.server.OffLoop;
import io.ballast.dashboard.server.Router;
import io.ballast.net.loop.LoopHeartbeat;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dashboard: a page, an API and metrics for those who may see them, and what probes ask for where they can reach it, on
 * a thread of its own.
 *
 * <p>Thread safety: {@link #start}, {@link #prepare}, {@link #address} and {@link #close} may be called from any thread;
 * all work is confined to the dashboard's one event loop.
 */
public final class Dashboard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Dashboard.class);
    private static final Duration TICK = Duration.ofSeconds(1);

    /** How long events are gathered after the first: short to the eye, long enough for a pool that fails as a whole. */
    private static final Duration GATHER = Duration.ofMillis(25);

    /** Its answers may take long; clients of the balancer do not wait for them. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration LAST_WORDS = Duration.ofMillis(500);

    private final AdminServer server = new AdminServer();
    private final Router routes;
    private final Endpoint page;
    private final Endpoint probes;
    private final StreamHub stream;
    private final MetricsOnDemand metrics;
    private final OffLoop offLoop = new OffLoop();
    private final Access access;
    private final CertificateWatch certificates;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final Heartbeat heartbeat;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Subscription subscription = new Subscription();
    private volatile DashboardConfig config;

    private Dashboard(DashboardConfig config, DashboardSources sources, LongSupplier nanoTime) {
        this.config = config;
        this.nanoTime = nanoTime;
        this.heartbeat = LoopHeartbeat.of(server.loop(), "dashboard", PATIENCE);
        LiveStats live = new LiveStats(sources);
        Instant boot = sources.control().clock().instant();
        this.stream = new StreamHub(
                live,
                sources.control().timeline(),
                () -> sources.forwarding().get().map(DnsForwarding::takeLive),
                () -> new StreamJson.Header(
                        sources.control().clock().instant(),
                        boot,
                        sources.readiness().get(),
                        ProcessReading.now(),
                        sources.version(),
                        sources.reloader().flatMap(RecordedReloader::last),
                        this.config.certificateWarning()));
        this.certificates =
                new CertificateWatch(() -> this.config.certificateWarning(), sources.listeners(), sources.control());
        this.clock = sources.control().clock();
        this.metrics = new MetricsOnDemand(sources, live, stream::clients, config.histograms());
        this.access = new Access(config.access(), server.loop(), nanoTime);
        Routes made = new Routes(sources, live, stream, metrics, offLoop, access, server.loop());
        this.routes = made.router();
        this.page = server.endpoint(routes, access, stream::end);
        this.probes = server.endpoint(made.probes(), Gate.OPEN, () -> {});
        subscription.to = this::publish;
    }

    /**
     * Starts to listen; returns once requests are answered.
     *
     * @throws IllegalArgumentException if others could reach the page who do not have to say who they are
     * @throws IOException if an address cannot be bound, or a certificate cannot be used
     */
    public static Dashboard start(DashboardConfig config, DashboardSources sources) throws IOException {
        return start(config, sources, System::nanoTime);
    }

    static Dashboard start(DashboardConfig config, DashboardSources sources, LongSupplier nanoTime) throws IOException {
        Dashboard dashboard = new Dashboard(config, sources, nanoTime);
        try {
            dashboard.page.prepare(page(config)).commit();
            dashboard.probes.prepare(probes(config)).commit();
        } catch (IOException | RuntimeException e) {
            dashboard.close();
            throw e;
        }
        sources.control().timeline().onEvent(dashboard.subscription);
        dashboard.server.loop().scheduleAtFixedRate(dashboard::tick, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        return dashboard;
    }

    /**
     * Makes ready to go on with another configuration. A new address is bound now and served from the commit on; at the old
     * one, streams end and answers under way are finished. Whether anything is served at all is for the caller to follow. Not
     * on this dashboard's event loop, and one change at a time.
     *
     * @throws IllegalArgumentException if others could reach the page who do not have to say who they are
     * @throws IOException if an address cannot be bound, or a certificate cannot be used
     */
    public PreparedChange prepare(DashboardConfig next) throws IOException {
        if (next.equals(config)) {
            return PreparedChange.NOTHING;
        }
        PreparedChange ofPage = page.prepare(page(next));
        try {
            return new Settings(next, List.of(ofPage, probes.prepare(probes(next))));
        } catch (IOException | RuntimeException e) {
            ofPage.close();
            throw e;
        }
    }

    private static Optional<EndpointConfig> page(DashboardConfig config) {
        return config.enabled()
                ? Optional.of(new EndpointConfig(
                        "dashboard",
                        config.bind(),
                        config.tls(),
                        config.access().permitsOtherMachines() ? Audience.OTHER_MACHINES : Audience.THIS_MACHINE,
                        config.access().hosts()))
                : Optional.empty();
    }

    private static Optional<EndpointConfig> probes(DashboardConfig config) {
        return config.probes()
                .map(probes -> new EndpointConfig("probes", probes.bind(), probes.tls(), Audience.EVERYONE, List.of()));
    }

    /** Where the page is, with the real port if the configuration asked for any; empty if it is not served. */
    public Optional<InetSocketAddress> address() {
        return page.address();
    }

    /** The same of what is there for probes alone. */
    public Optional<InetSocketAddress> probesAddress() {
        return probes.address();
    }

    /** What it answers, see {@link Router#described}. */
    List<String> routes() {
        return routes.described();
    }

    /** The heartbeat of its event loop. */
    public Heartbeat heartbeat() {
        return heartbeat;
    }

    /** Ends every stream, then every connection. A second call does nothing. */
    @Override
    public void close() {
        if (!closed.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            return;
        }
        heartbeat.stop();
        subscription.to = event -> {};
        server.loop().submit(stream::end).awaitUninterruptibly(LAST_WORDS.toMillis());
        server.close();
        metrics.close();
        offLoop.close();
        access.close();
    }

    private void tick() {
        try {
            stream.tick(nanoTime.getAsLong());
            access.review();
            certificates.look(clock.instant());
        } catch (RuntimeException e) {
            LOG.error("dashboard sample failed", e);
        } catch (Error e) {
            heartbeat.ended(e); // the last tick, and the end of what it feeds
            throw e;
        }
        heartbeat.beat();
    }

    /** Called on the control plane's thread, also after this dashboard was closed. */
    private void publish(Event event) {
        EventLoop loop = server.loop();
        try {
            loop.execute(() -> {
                if (stream.add(event)) {
                    loop.schedule(stream::flush, GATHER.toMillis(), TimeUnit.MILLISECONDS);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("event after the dashboard's end id={}", event.id());
        }
    }

    /** What the timeline holds on to for ever, though dashboards come and go with reloads. */
    private static final class Subscription implements Consumer<Event> {

        private volatile Consumer<Event> to = event -> {};

        @Override
        public void accept(Event event) {
            to.accept(event);
        }
    }

    /** Another configuration, with the sockets that it needs. */
    private final class Settings implements PreparedChange {

        private final DashboardConfig next;
        private final List<PreparedChange> endpoints;

        Settings(DashboardConfig next, List<PreparedChange> endpoints) {
            this.next = next;
            this.endpoints = endpoints;
        }

        @Override
        public void commit() {
            config = next;
            access.configure(next.access());
            metrics.histograms(next.histograms());
            endpoints.forEach(PreparedChange::commit);
        }

        @Override
        public void settle() {
            endpoints.forEach(PreparedChange::settle);
        }

        @Override
        public void close() {
            endpoints.forEach(PreparedChange::close);
        }
    }
}
