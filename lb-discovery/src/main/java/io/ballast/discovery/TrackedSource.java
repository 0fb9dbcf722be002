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
     * Minimum time between two reports, so that a source whose failure reason varies cannot fill the timeline.
     */
    private static final Duration MIN_REPORT_INTERVAL = Duration.ofMinutes(1);

    private final PoolSource poolSource;
    private final Source source;
    private final ControlPlane control;
    private final Observer observer;
    private final FlapGuard flapGuard;
    private @Nullable ScheduledTask holdTask;
    private String refusalReasons = "";
    private boolean failing;
    /** The last reported failure reason. */
    private String failure = "";

    private Instant failureReported = Instant.EPOCH;
    private volatile boolean closed;
    private volatile Stats stats;

    /** Receives the changes of a source; called on the control plane's thread. */
    interface Observer {

        /** Called when the backends in use have changed. */
        void onBackendsChanged();

        /**
         * Called with a message for operators when the source fails, recovers, or returns unusable or unexpected
         * data.
         */
        void onNotice(PoolSource source, String text);
    }

    /**
     * @param backends number of backends in use
     * @param lastSuccess time of the source's last answer, even if that answer contained no change; absent if the
     *     source has not answered since the start of the process
     * @param failures number of failed requests to the source
     */
    record Stats(int backends, Optional<Instant> lastSuccess, long failures) {

        static final Stats NONE = new Stats(0, Optional.empty(), 0);
    }

    /**
     * @param known the backends that a source with this name reported last; absent if there are none
     * @param before the statistics of the previous source with this name
     */
    TrackedSource(
            PoolSource named,
            Source source,
            Optional<List<DiscoveredBackend>> known,
            Stats before,
            ControlPlane control,
            Observer observer) {
        this.poolSource = named;
        this.source = source;
        this.control = control;
        this.observer = observer;
        this.flapGuard = new FlapGuard(named.discovery().hold(), known);
        this.stats = new Stats(known.map(List::size).orElse(0), before.lastSuccess(), before.failures());
    }

    /** Starts the source. */
    void start() {
        source.start(new Source.Listener() {
            @Override
            public void onBackends(List<DiscoveredBackend> backends) {
                ScreenedBackends screening =
                        ScreenedBackends.of(backends, poolSource.discovery().allowLocal());
                control.execute(() -> handleAnswer(screening));
            }

            @Override
            public void onUnchanged() {
                control.executeBatched(TrackedSource.this::handleConfirmation);
            }

            @Override
            public void onFailure(String reason) {
                String text = SourceText.oneLine(reason);
                control.execute(() -> handleFailure(text));
            }
        });
    }

    PoolSource poolSource() {
        return poolSource;
    }

    /** Returns the backends in use; absent before the first answer. */
    Optional<List<DiscoveredBackend>> backendsInUse() {
        return flapGuard.backendsInUse();
    }

    /** Returns the statistics of the source; may be called from any thread. */
    Stats stats() {
        return stats;
    }

    private void handleAnswer(ScreenedBackends screening) {
        if (closed) {
            return;
        }
        if (failing) {
            failing = false;
            failure = "";
            observer.onNotice(poolSource, "responds again");
        }
        String reasons = String.join("; ", screening.refusalReasons());
        if (!reasons.equals(refusalReasons) && !reasons.isEmpty()) {
            observer.onNotice(poolSource, "ignored backends: " + reasons);
        }
        refusalReasons = reasons;
        Instant now = control.clock().instant();
        boolean wasPending = flapGuard.pendingUntil().isPresent();
        update(() -> flapGuard.processAnswer(screening.backends(), now));
        if (!wasPending) {
            flapGuard.pendingUntil().ifPresent(until -> {
                observer.onNotice(
                        poolSource,
                        "no longer reports most of its backends; they are removed if this lasts for "
                                + poolSource.discovery().hold().toSeconds() + " s");
                holdTask = control.scheduleTask(this::acceptAfterHold, Duration.between(now, until));
            });
        }
        if (flapGuard.pendingUntil().isEmpty()) {
            cancelHoldTask();
        }
        stats = new Stats(count(), Optional.of(now), stats.failures());
    }

    private void handleConfirmation() {
        if (!closed && !failing) {
            stats = new Stats(stats.backends(), Optional.of(control.clock().instant()), stats.failures());
        }
    }

    /** Accepts a pending removal when its hold time is over, unless the source is failing. */
    private void acceptAfterHold() {
        if (closed || failing) {
            return;
        }
        update(() -> flapGuard.acceptAfterHold(control.clock().instant()));
        flapGuard
                .pendingUntil()
                .ifPresent(until -> holdTask = control.scheduleTask(
                        this::acceptAfterHold, Duration.between(control.clock().instant(), until)));
        stats = new Stats(count(), stats.lastSuccess(), stats.failures());
    }

    private void update(Runnable change) {
        Optional<List<DiscoveredBackend>> before = flapGuard.backendsInUse();
        change.run();
        if (!flapGuard.backendsInUse().equals(before)) {
            observer.onBackendsChanged();
        }
    }

    private void handleFailure(String reason) {
        if (closed) {
            return;
        }
        stats = new Stats(count(), stats.lastSuccess(), stats.failures() + 1);
        Instant now = control.clock().instant();
        boolean isOther = !reason.equals(failure) && !now.isBefore(failureReported.plus(MIN_REPORT_INTERVAL));
        if (!failing || isOther) {
            failing = true;
            failure = reason;
            failureReported = now;
            observer.onNotice(
                    poolSource,
                    reason
                            + (flapGuard.backendsInUse().isPresent()
                                    ? "; the last discovered backends stay in use"
                                    : "; no backends have been discovered yet"));
        }
    }

    private int count() {
        return flapGuard.backendsInUse().map(List::size).orElse(0);
    }

    private void cancelHoldTask() {
        ScheduledTask task = holdTask;
        if (task != null) {
            task.cancel();
            holdTask = null;
        }
    }

    /** Closes the source; later reports are ignored. */
    @Override
    public void close() {
        closed = true;
        cancelHoldTask();
        source.close();
    }
}
