package io.ballast.dashboard;

import io.ballast.core.config.DashboardConfig;
import io.ballast.core.control.Event;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dashboard.json.StreamJson;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.StreamHub;
import io.ballast.dashboard.metrics.MetricsOnDemand;
import io.ballast.dashboard.process.ProcessReading;
import io.ballast.dashboard.server.ListeningSocket;
import io.ballast.dashboard.server.LoopbackServer;
import io.ballast.dashboard.server.OffLoop;
import io.ballast.net.loop.LoopHeartbeat;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dashboard: a page, an API and metrics on a loopback address, on a thread of its own.
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

    private final LoopbackServer server;
    private final StreamHub stream;
    private final MetricsOnDemand metrics;
    private final OffLoop offLoop = new OffLoop();
    private final Routes routes;
    private final LongSupplier nanoTime;
    private final Heartbeat heartbeat;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Subscription subscription = new Subscription();
    private volatile DashboardConfig config;

    private Dashboard(LoopbackServer server, DashboardConfig config, DashboardSources sources, LongSupplier nanoTime) {
        this.server = server;
        this.config = config;
        this.nanoTime = nanoTime;
        this.heartbeat = LoopHeartbeat.of(server.loop(), "dashboard", PATIENCE);
        LiveStats live = new LiveStats(sources);
        Instant boot = sources.control().clock().instant();
        this.stream = new StreamHub(
                live,
                sources.control().timeline(),
                () -> new StreamJson.Header(
                        sources.control().clock().instant(),
                        boot,
                        sources.readiness().get(),
                        ProcessReading.now(),
                        sources.version(),
                        sources.reloader().flatMap(RecordedReloader::last)));
        this.metrics = new MetricsOnDemand(sources, live, stream::clients, config.histograms());
        this.routes = new Routes(sources, live, stream, metrics, offLoop, server.loop());
        subscription.to = this::publish;
    }

    /**
     * Starts to listen; returns once requests are answered.
     *
     * @throws IllegalArgumentException if the address is not a loopback address
     * @throws IOException if the address cannot be bound
     */
    public static Dashboard start(DashboardConfig config, DashboardSources sources) throws IOException {
        return start(config, sources, System::nanoTime);
    }

    static Dashboard start(DashboardConfig config, DashboardSources sources, LongSupplier nanoTime) throws IOException {
        LoopbackServer server = new LoopbackServer(config.bind());
        Dashboard dashboard = new Dashboard(server, config, sources, nanoTime);
        server.start(dashboard.routes.router());
        sources.control().timeline().onEvent(dashboard.subscription);
        server.loop().scheduleAtFixedRate(dashboard::tick, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        return dashboard;
    }

    /**
     * Makes ready to go on with another configuration. A new address is bound now and served from the commit on; at the old
     * one, streams end and answers under way are finished. Whether it is enabled is for the caller to follow. Not on this
     * dashboard's event loop, and one change at a time.
     *
     * @throws IllegalArgumentException if the address is not a loopback address
     * @throws IOException if the address cannot be bound
     */
    public PreparedChange prepare(DashboardConfig next) throws IOException {
        if (next.equals(config)) {
            return PreparedChange.NOTHING;
        }
        boolean stays = server.listensAt(next.bind());
        return new Settings(next, stays ? Optional.empty() : Optional.of(server.bind(next.bind())));
    }

    /** Where it listens, with the real port if the configuration asked for any. */
    public InetSocketAddress address() {
        return server.address();
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
    }

    private void tick() {
        try {
            stream.tick(nanoTime.getAsLong());
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

    /** Another configuration, with the socket that it needs. */
    private final class Settings implements PreparedChange {

        private final DashboardConfig next;
        private final Optional<ListeningSocket> socket;
        private volatile boolean committed;

        Settings(DashboardConfig next, Optional<ListeningSocket> socket) {
            this.next = next;
            this.socket = socket;
        }

        @Override
        public void commit() {
            committed = true;
            config = next;
            metrics.histograms(next.histograms());
            if (closed.get()) {
                return;
            }
            try {
                socket.ifPresentOrElse(this::move, () -> server.rename(next.bind()));
            } catch (RejectedExecutionException e) {
                LOG.debug("the dashboard ended before it could move to {}", next.bind());
            }
        }

        private void move(ListeningSocket to) {
            server.move(to);
            server.loop().execute(stream::end);
        }

        @Override
        public void close() {
            if (!committed) {
                socket.ifPresent(ListeningSocket::close);
            }
        }
    }
}
