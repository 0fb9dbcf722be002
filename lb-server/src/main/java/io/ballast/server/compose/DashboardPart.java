package io.ballast.server.compose;

import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.config.ProbesConfig;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.net.listen.PortCheck;
import io.ballast.net.takeover.InheritedSockets;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dashboard, if the active configuration enables it.
 *
 * <p>Thread safety: started, prepared and closed by one thread at a time; any thread may read the running dashboard.
 */
final class DashboardPart implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DashboardPart.class);
    private static final Duration MAX_WAIT_FOR_PORT = Duration.ofSeconds(5);

    /** Time limit for a dashboard that is being switched off to send its last response. */
    private static final Duration LAST_RESPONSE_TIME = Duration.ofSeconds(1);

    private final DashboardSources sources;
    private final ControlPlane control;
    private final Consumer<List<Heartbeat>> heartbeatListener;
    private final Background closer = Background.of("dashboard-close", /* max= */ 1);
    private volatile @Nullable Dashboard running;
    private @Nullable DashboardConfig waitingConfig;

    /** @param hearts receives the heartbeats of new threads */
    DashboardPart(DashboardSources sources, ControlPlane control, Consumer<List<Heartbeat>> hearts) {
        this.sources = sources;
        this.control = control;
        this.heartbeatListener = hearts;
    }

    Optional<Dashboard> dashboard() {
        return Optional.ofNullable(running);
    }

    /** @throws IOException if the address of the dashboard cannot be bound */
    void start(DashboardConfig config) throws IOException {
        if (config.isServed()) {
            running = open(config);
        }
    }

    /**
     * Starts like {@link #start}. If the previous process still listens on the address, the dashboard waits for
     * {@link #startWaiting} instead.
     *
     * @throws IOException if the dashboard cannot start for another reason
     */
    void startOrWait(DashboardConfig config, InheritedSockets inherited) throws IOException {
        try {
            start(config);
        } catch (IOException e) {
            if (!(e.getCause() instanceof BindException) || ports(config).noneMatch(inherited::isVacated)) {
                throw e;
            }
            waitingConfig = config;
            LOG.debug("the dashboard is waiting for its address", e);
        }
    }

    private static Stream<Integer> ports(DashboardConfig config) {
        return addresses(config).map(HostPort::port);
    }

    private static Stream<HostPort> addresses(DashboardConfig config) {
        Stream<HostPort> page = config.enabled() ? Stream.of(config.bind()) : Stream.empty();
        return Stream.concat(page, config.probes().map(ProbesConfig::bind).stream());
    }

    /**
     * Starts a waiting dashboard after the previous process has closed its dashboard. Gives up if the address is
     * still in use after a time limit.
     */
    void startWaiting() {
        DashboardConfig config = waitingConfig;
        waitingConfig = null;
        if (config == null) {
            return;
        }
        try {
            for (HostPort bind : addresses(config).toList()) {
                PortCheck.awaitFree(new InetSocketAddress(bind.host(), bind.port()), MAX_WAIT_FOR_PORT);
            }
            start(config);
        } catch (IOException e) {
            LOG.error("msg=\"cannot start the dashboard\" reason=\"{}\"", ErrorText.of(e));
        }
    }

    /** The ports of the dashboard and its probes. */
    Set<Integer> ports() {
        return dashboard().stream()
                .flatMap(present -> Stream.of(present.address(), present.probesAddress()))
                .flatMap(Optional::stream)
                .map(InetSocketAddress::getPort)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Closes the dashboard, so that another process can use its address. Waits until it is closed. */
    void releaseAddress() {
        Dashboard last = running;
        running = null;
        if (last != null) {
            last.close();
        }
    }

    private Dashboard open(DashboardConfig config) throws IOException {
        Dashboard started = Dashboard.start(config, sources);
        heartbeatListener.accept(List.of(started.heartbeat()));
        return started;
    }

    /**
     * Prepares another configuration. A new dashboard listener accepts requests before the change is committed.
     *
     * @throws IOException like {@link #start}
     */
    PreparedChange prepare(DashboardConfig next) throws IOException {
        Dashboard before = running;
        if (before != null && next.isServed()) {
            return before.prepare(next);
        }
        if (before == null && !next.isServed()) {
            return PreparedChange.NOTHING;
        }
        return new Exchange(before, next.isServed() ? open(next) : null);
    }

    /** A prepared change that adds or removes the dashboard. */
    private final class Exchange implements PreparedChange {

        private final @Nullable Dashboard before;
        private final @Nullable Dashboard next;
        private boolean committed;

        Exchange(@Nullable Dashboard before, @Nullable Dashboard next) {
            this.before = before;
            this.next = next;
        }

        @Override
        public void commit() {
            committed = true;
            running = next;
        }

        @Override
        public void releasePrevious() {
            if (before != null) {
                control.schedule(() -> closer.execute(before::close), LAST_RESPONSE_TIME);
            }
        }

        @Override
        public void close() {
            if (!committed && next != null) {
                next.close();
            }
        }
    }

    @Override
    public void close() {
        releaseAddress();
        closer.close();
    }
}
