package io.ballast.core.health;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Checks one target periodically, and reports the results to its backends.
 *
 * <p>The next check starts one interval after the end of the last one, with a jitter of one tenth. If the
 * last result contradicts the state of a backend, the fast interval applies, so that rise and fall are
 * reached quickly. When checks or requests mark a backend down, the next check starts within the fast
 * interval. While the backend stays down, the delay doubles after each check, up to the interval. The actual
 * delay is random, in the upper half of its range, so that backends that failed together are not checked
 * together. Lazy checks stop while all backends are up and their requests succeed.
 *
 * <p>A success that changes no state is delayed by some milliseconds and processed together with other
 * results.
 *
 * <p>Thread safety: confined to the control plane; the probe's result is submitted from other threads.
 */
final class CheckLoop {

    private static final double JITTER = 0.1;

    /** Delay before a check that failed for a local reason is repeated. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final ControlPlane control;
    private final Probe probe;
    private final RandomGenerator random;
    private final CheckQueue queue;
    private final SkippedChecks skippedChecks;
    private final CheckTarget target;
    private List<WatchedBackend> backends = List.of();
    private @Nullable ProbeResult lastResult;
    /** Whether recent checks succeeded, so that one more success changes nothing. */
    private boolean isSteady;

    private @Nullable ScheduledTask nextCheck;
    /** Whether checks are paused until requests fail. */
    private boolean paused;

    private boolean stopped;

    CheckLoop(
            ControlPlane control,
            Probe probe,
            RandomGenerator random,
            CheckQueue queue,
            SkippedChecks missed,
            CheckTarget target) {
        this.control = control;
        this.probe = probe;
        this.random = random;
        this.queue = queue;
        this.skippedChecks = missed;
        this.target = target;
    }

    /** Starts the first check. */
    void start() {
        check();
    }

    /** Stops checking permanently, and discards the result of a running check. */
    void stop() {
        stopped = true;
        if (nextCheck != null) {
            nextCheck.cancel();
        }
    }

    /**
     * Called when failed requests have marked a backend down. Unless a check is running, the next check starts
     * within the fast interval.
     */
    void onMarkedDown() {
        isSteady = false;
        advanceNextCheck();
    }

    /**
     * Reschedules the next check with the current interval if the check would run earlier that way. Also
     * resumes paused checks.
     */
    private void advanceNextCheck() {
        if (paused && !stopped) {
            paused = false;
            nextCheck = scheduleNextCheck();
            return;
        }
        ScheduledTask set = nextCheck;
        if (set != null && !stopped) {
            ScheduledTask sooner = scheduleNextCheck();
            boolean isSooner = sooner.remaining().compareTo(set.remaining()) < 0;
            (isSooner ? set : sooner).cancel();
            nextCheck = isSooner ? sooner : set;
        }
    }

    /**
     * Replaces the backends that receive the results of this check. A new backend receives the last result immediately.
     * A shorter check interval of the new backends takes effect immediately.
     */
    void backends(List<WatchedBackend> next) {
        Optional<Duration> before = minInterval();
        backends = List.copyOf(next);
        backends.forEach(backend -> backend.setCheckLoop(this));
        if (lastResult != null) {
            for (WatchedBackend backend : backends) {
                if (!backend.firstResult().isDone()) {
                    backend.onCheckResult(lastResult);
                }
            }
        }
        if (paused && !mayPause()) {
            advanceNextCheck();
        }
        Optional<Duration> now = minInterval();
        if (before.isPresent() && now.isPresent() && now.get().compareTo(before.get()) < 0) {
            advanceNextCheck();
        }
    }

    private boolean mayPause() {
        return backends.stream().allMatch(WatchedBackend::mayPause);
    }

    private Optional<Duration> minInterval() {
        return backends.stream().map(WatchedBackend::interval).min(Duration::compareTo);
    }

    private void check() {
        nextCheck = null;
        if (!stopped) {
            queue.enqueue(this);
        }
    }

    /** Runs the check; called by the queue when it is this check's turn. */
    void begin() {
        if (stopped) {
            queue.onCheckEnded();
            return;
        }
        AtomicBoolean answered = new AtomicBoolean();
        boolean wasSteady = isSteady;
        try {
            probe.start(target.address(), target.check(), target.host(), target.timeout(), result -> {
                if (answered.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
                    handOver(result, wasSteady);
                }
            });
        } catch (RuntimeException e) {
            if (answered.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
                applyResult(new ProbeResult(/* ok= */ false, Duration.ZERO, "check did not start: " + e));
            }
        }
    }

    private boolean isChanging() {
        for (WatchedBackend backend : backends) {
            if (backend.isChanging()) {
                return true;
            }
        }
        return false;
    }

    /** Submits the result of a check to the control plane. Called by any thread. */
    private void handOver(ProbeResult result, boolean wasSteady) {
        if (wasSteady && result.ok()) {
            control.executeBatched(() -> applyResult(result));
        } else {
            control.execute(() -> applyResult(result));
        }
    }

    private void applyResult(ProbeResult result) {
        queue.onCheckEnded();
        if (stopped) {
            return;
        }
        if (!result.isConclusive()) {
            skippedChecks.recordSkipped(target, result.text());
            nextCheck = scheduleNextCheck(RETRY_DELAY, 1 - JITTER, 1 + JITTER);
            return;
        }
        lastResult = result;
        try {
            backends.forEach(backend -> backend.onCheckResult(result));
        } finally {
            // The next check is scheduled even if applying the result fails.
            paused = mayPause();
            nextCheck = paused ? null : scheduleNextCheck();
            isSteady = result.ok() && !isChanging();
        }
    }

    private ScheduledTask scheduleNextCheck() {
        Duration wait = backends.get(0).untilNextCheck();
        Duration interval = backends.get(0).interval();
        for (WatchedBackend backend : backends) {
            wait = lesser(wait, backend.untilNextCheck());
            interval = lesser(interval, backend.interval());
        }
        boolean backsOff = wait.compareTo(interval) < 0 && !isChanging();
        return backsOff ? scheduleNextCheck(wait, 0.5, 1) : scheduleNextCheck(wait, 1 - JITTER, 1 + JITTER);
    }

    /**
     * Schedules the next check at a random time between the fractions {@code from} and {@code to} of the wait.
     */
    private ScheduledTask scheduleNextCheck(Duration wait, double from, double to) {
        return control.scheduleBatched(
                this::check, part(wait, from), part(wait, from + (to - from) * random.nextDouble()), part(wait, to));
    }

    private static Duration lesser(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static Duration part(Duration whole, double part) {
        return Duration.ofNanos((long) (whole.toNanos() * part));
    }
}
