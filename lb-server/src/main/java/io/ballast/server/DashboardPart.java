package io.ballast.server;

import io.ballast.core.config.DashboardConfig;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.DashboardSources;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard, if the configuration in force asks for one.
 *
 * <p>Thread safety: started, prepared and closed by one thread at a time; any thread may ask for what runs.
 */
final class DashboardPart implements AutoCloseable {

    /** For one that goes to say so to whoever asked for that. */
    private static final Duration LAST_ANSWER = Duration.ofSeconds(1);

    private final DashboardSources sources;
    private final ControlPlane control;
    private final Consumer<List<Heartbeat>> hearts;
    private final Background closing = Background.of("dashboard-close", /* most= */ 1);
    private volatile @Nullable Dashboard running;

    /** @param hearts told of the threads that serve, as they begin to */
    DashboardPart(DashboardSources sources, ControlPlane control, Consumer<List<Heartbeat>> hearts) {
        this.sources = sources;
        this.control = control;
        this.hearts = hearts;
    }

    Optional<Dashboard> dashboard() {
        return Optional.ofNullable(running);
    }

    /** @throws IOException if its address cannot be bound */
    void start(DashboardConfig config) throws IOException {
        if (config.enabled()) {
            running = open(config);
        }
    }

    private Dashboard open(DashboardConfig config) throws IOException {
        Dashboard started = Dashboard.start(config, sources);
        hearts.accept(List.of(started.heartbeat()));
        return started;
    }

    /**
     * Makes another configuration ready. One that is new answers before it is committed.
     *
     * @throws IOException like {@link #start}
     */
    PreparedChange prepare(DashboardConfig next) throws IOException {
        Dashboard before = running;
        if (before != null && next.enabled()) {
            return before.prepare(next);
        }
        if (before == null && !next.enabled()) {
            return PreparedChange.NOTHING;
        }
        return new Exchange(before, next.enabled() ? open(next) : null);
    }

    /** One comes or one goes. */
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
        public void settle() {
            if (before != null) {
                control.schedule(() -> closing.execute(before::close), LAST_ANSWER);
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
        Dashboard last = running;
        running = null;
        if (last != null) {
            last.close();
        }
        closing.close();
    }
}
