package io.ballast.discovery;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import io.ballast.discovery.source.SourceText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A source of the active configuration, with its accepted backends and its state.
 *
 * <p>Thread safety: confined to the control plane, except for {@link #stats}.
 */
final class TrackedSource implements AutoCloseable {

    /**
     * Minimum time between two reports, so that a source whose failure reason varies does not fill the timeline.
     */
    private static final Duration BETWEEN_REASONS = Duration.ofMinutes(1);

    private final PoolSource named;
    private final Source source;
    private final ControlPlane control;
    private final Observer observer;
    private final FlapGuard believed;
    private @Nullable ScheduledTask settling;
    private String refused = "";
    private boolean failing;
    /** The last reported failure reason. */
    private String failure = "";

    private Instant failureReported = Instant.EPOCH;
    private volatile boolean closed;
    private volatile Stats stats;

    /** Receives the changes of a source; called on the control plane's thread. */
    interface Observer {

        /** The backends in use have changed. */
        void changed();

        /** A notice for operators, reported once for each change. */
        void tell(PoolSource source, String text);
    }

    /**
     * @param backends number of backends in use
     * @param lastSuccess time of the last answer, even if it contained no change; absent if there was none since
     *     the start of the process
     * @param failures number of failed requests to the source
     */
    record Stats(int backends, Optional<Instant> lastSuccess, long failures) {

        static final Stats NONE = new Stats(0, Optional.empty(), 0);
    }

    /**
     * @param known the previous results of the source with this name, if known
     * @param before the previous state
     */
    TrackedSource(
            PoolSource named,
            Source source,
            Optional<List<DiscoveredBackend>> known,
            Stats before,
            ControlPlane control,
            Observer observer) {
        this.named = named;
        this.source = source;
        this.control = control;
        this.observer = observer;
        this.believed = new FlapGuard(named.discovery().hold(), known);
        this.stats = new Stats(known.map(List::size).orElse(0), before.lastSuccess(), before.failures());
    }

    /** Starts the source. */
    void start() {
        source.start(new Source.Listener() {
            @Override
            public void found(List<DiscoveredBackend> backends) {
                ScreenedBackends screening =
                        ScreenedBackends.of(backends, named.discovery().allowLocal());
                control.execute(() -> answered(screening));
            }

            @Override
            public void confirmed() {
                control.executeAmongOthers(TrackedSource.this::confirmed);
            }

            @Override
            public void failed(String reason) {
                String text = SourceText.oneLine(reason);
                control.execute(() -> failedBecause(text));
            }
        });
    }

    PoolSource named() {
        return named;
    }

    /** Returns the backends in use; absent before the first answer. */
    Optional<List<DiscoveredBackend>> inUse() {
        return believed.inUse();
    }

    /** Any thread. */
    Stats stats() {
        return stats;
    }

    private void answered(ScreenedBackends screening) {
        if (closed) {
            return;
        }
        if (failing) {
            failing = false;
            failure = "";
            observer.tell(named, "answers again");
        }
        String reasons = String.join("; ", screening.refused());
        if (!reasons.equals(refused) && !reasons.isEmpty()) {
            observer.tell(named, "left out: " + reasons);
        }
        refused = reasons;
        Instant now = control.clock().instant();
        boolean doubted = believed.doubtedUntil().isPresent();
        update(() -> believed.answer(screening.backends(), now));
        if (!doubted) {
            believed.doubtedUntil().ifPresent(until -> {
                observer.tell(
                        named,
                        "removes most of its backends; this is applied if it lasts for "
                                + named.discovery().hold().toSeconds() + " s");
                settling = control.scheduleTask(this::settle, Duration.between(now, until));
            });
        }
        if (believed.doubtedUntil().isEmpty()) {
            cancelSettling();
        }
        stats = new Stats(count(), Optional.of(now), stats.failures());
    }

    private void confirmed() {
        if (!closed && !failing) {
            stats = new Stats(stats.backends(), Optional.of(control.clock().instant()), stats.failures());
        }
    }

    /** Accepts a delayed removal when its hold time is over, but not while the source fails. */
    private void settle() {
        if (closed || failing) {
            return;
        }
        update(() -> believed.settle(control.clock().instant()));
        believed.doubtedUntil()
                .ifPresent(until -> settling = control.scheduleTask(
                        this::settle, Duration.between(control.clock().instant(), until)));
        stats = new Stats(count(), stats.lastSuccess(), stats.failures());
    }

    private void update(Runnable change) {
        Optional<List<DiscoveredBackend>> before = believed.inUse();
        change.run();
        if (!believed.inUse().equals(before)) {
            observer.changed();
        }
    }

    private void failedBecause(String reason) {
        if (closed) {
            return;
        }
        stats = new Stats(count(), stats.lastSuccess(), stats.failures() + 1);
        Instant now = control.clock().instant();
        boolean isOther = !reason.equals(failure) && !now.isBefore(failureReported.plus(BETWEEN_REASONS));
        if (!failing || isOther) {
            failing = true;
            failure = reason;
            failureReported = now;
            observer.tell(
                    named,
                    reason
                            + (believed.inUse().isPresent()
                                    ? "; its last answer stays in use"
                                    : "; it has reported no backends yet"));
        }
    }

    private int count() {
        return believed.inUse().map(List::size).orElse(0);
    }

    private void cancelSettling() {
        ScheduledTask task = settling;
        if (task != null) {
            task.cancel();
            settling = null;
        }
    }

    /** Closes the source; later reports are ignored. */
    @Override
    public void close() {
        closed = true;
        cancelSettling();
        source.close();
    }
}
