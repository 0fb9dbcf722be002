package io.ballast.dashboard;

import io.ballast.core.control.Event;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dashboard.access.Access;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.document.StreamJson;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.metrics.LazyMetrics;
import io.ballast.dashboard.process.ProcessReading;
import io.ballast.dashboard.server.AdminServer;
import io.ballast.dashboard.server.Authenticator;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.Endpoint;
import io.ballast.dashboard.server.EndpointConfig;
import io.ballast.dashboard.server.EndpointConfig.Audience;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.AgentDirectory;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.DnsForwarding;
import io.ballast.dashboard.source.RecordingReloader;
import io.ballast.dashboard.stream.StreamHub;
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
 * The dashboard: the page, the API and the metrics for authorized clients, and optionally a second endpoint for probes.
 * Runs on a thread of its own.
 *
 * <p>Thread safety: {@link #start}, {@link #prepare}, {@link #address} and {@link #close} may be called from any
 * thread; all work is confined to the dashboard's event loop.
 */
public final class Dashboard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Dashboard.class);
    private static final Duration TICK = Duration.ofSeconds(1);

    /**
     * The time from the first event until the collected events are sent. Users do not notice the delay, but it is
     * long enough to combine the events of a pool that fails as a whole.
     */
    private static final Duration EVENT_BATCH_DELAY = Duration.ofMillis(25);

    /** Timeout of the heartbeat. It is long, because clients of the data plane do not wait for this event loop. */
    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration STREAM_END_TIMEOUT = Duration.ofMillis(500);

    private final AdminServer server = new AdminServer();
    private final Router routes;
    private final Endpoint page;
    private final Endpoint probes;
    private final StreamHub stream;
    private final LazyMetrics metrics;
    private final BlockingHandlers blockingHandlers = new BlockingHandlers();
    private final Access access;
    private final CertificateWatch certificateWatch;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final Heartbeat heartbeat;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Subscription subscription = new Subscription();
    private volatile DashboardConfig config;

    private Dashboard(DashboardConfig config, DashboardSources sources, LongSupplier nanoTime) {
        this.config = config;
        this.nanoTime = nanoTime;
        this.heartbeat = LoopHeartbeat.of(server.loop(), "dashboard", HEARTBEAT_TIMEOUT);
        LiveStats live = new LiveStats(sources);
        Instant boot = sources.control().clock().instant();
        this.stream = new StreamHub(
                live,
                sources.control().timeline(),
                () -> sources.forwarding().get().map(DnsForwarding::pollLiveQueries),
                () -> new StreamJson.Header(
                        sources.control().clock().instant(),
                        boot,
                        sources.readiness().get(),
                        ProcessReading.now(),
                        sources.version(),
                        sources.reloader().flatMap(RecordingReloader::lastReload),
                        sources.cluster().get(),
                        sources.agents().get().map(AgentDirectory::counts),
                        this.config.certificateWarning()));
        this.certificateWatch =
                new CertificateWatch(() -> this.config.certificateWarning(), sources.listeners(), sources.control());
        this.clock = sources.control().clock();
        this.metrics = new LazyMetrics(sources, live, stream::clients, config.histograms());
        this.access = new Access(config.access(), server.loop(), nanoTime);
        DashboardRoutes made = new DashboardRoutes(
                sources,
                live,
                stream,
                metrics,
                blockingHandlers,
                access,
                server.loop(),
                () -> this.config.overrideMax());
        this.routes = made.router();
        this.page = server.addEndpoint(routes, access, stream::endStreams);
        this.probes = server.addEndpoint(made.probeRouter(), Authenticator.OPEN, () -> {});
        subscription.target = this::publish;
    }

    /**
     * Starts to listen. Returns when the dashboard answers requests.
     *
     * @throws IllegalArgumentException if remote clients could reach the page without authentication
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
     * Prepares a change of the configuration. A new address is bound now and served after the commit. At the old
     * address, streams end and pending responses are completed. If {@code next} turns the dashboard off, the
     * caller must close the dashboard. Must not be called on the event loop; only one change may be prepared at a
     * time.
     *
     * @throws IllegalArgumentException if remote clients could reach the page without authentication
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

    /** Returns the bound address of the page with its real port; empty if the page is not served. */
    public Optional<InetSocketAddress> address() {
        return page.address();
    }

    /** Returns the bound address of the endpoint for probes; empty if there is none. */
    public Optional<InetSocketAddress> probesAddress() {
        return probes.address();
    }

    /** Returns the routes of the page, see {@link Router#routeDescriptions}. */
    List<String> routes() {
        return routes.routeDescriptions();
    }

    /** Begins to read all metrics, for another part of the process. */
    public ExpositionReading readMetrics() {
        return new ExpositionReading(server.loop(), metrics::exposition);
    }

    /** Returns the heartbeat of the event loop. */
    public Heartbeat heartbeat() {
        return heartbeat;
    }

    /** Ends every stream, then closes every connection. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            return;
        }
        heartbeat.stop();
        subscription.target = event -> {};
        server.loop().submit(stream::endStreams).awaitUninterruptibly(STREAM_END_TIMEOUT.toMillis());
        server.close();
        metrics.close();
        blockingHandlers.close();
        access.close();
    }

    private void tick() {
        try {
            stream.tick(nanoTime.getAsLong());
            access.removeExpiredSessions();
            certificateWatch.checkCertificates(clock.instant());
        } catch (RuntimeException e) {
            LOG.error("cannot update the dashboard statistics", e);
        } catch (Error e) {
            heartbeat.markEnded(e); // ends the task, and with it the heartbeat
            throw e;
        }
        heartbeat.beat();
    }

    /**
     * Queues an event for the event stream. Called on the control plane's thread, possibly after the dashboard was
     * closed.
     */
    private void publish(Event event) {
        EventLoop loop = server.loop();
        try {
            loop.execute(() -> {
                if (stream.queueEvent(event)) {
                    loop.schedule(stream::sendQueuedEvents, EVENT_BATCH_DELAY.toMillis(), TimeUnit.MILLISECONDS);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("msg=\"an event occurred after the dashboard was closed\" id={}", event.id());
        }
    }

    /**
     * Forwards events to the dashboard until it is closed. The timeline never removes a subscriber. So this
     * class, not the dashboard, subscribes, and the timeline keeps no reference to a closed dashboard.
     */
    private static final class Subscription implements Consumer<Event> {

        private volatile Consumer<Event> target = event -> {};

        @Override
        public void accept(Event event) {
            target.accept(event);
        }
    }

    /** A prepared change, with the sockets that it needs. */
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
        public void releasePrevious() {
            endpoints.forEach(PreparedChange::releasePrevious);
        }

        @Override
        public void close() {
            endpoints.forEach(PreparedChange::close);
        }
    }
}
