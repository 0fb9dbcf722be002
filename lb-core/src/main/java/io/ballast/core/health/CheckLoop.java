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
 * interval. While the backend stays down, the wait doubles up to the interval. The loop draws a growing wait
 * from its upper half, so that backends that failed together are not checked together. Lazy checks stop while
 * all backends are up and their requests succeed.
 *
 * <p>A success that changes nothing is delayed by some milliseconds and processed together with others.
 *
 * <p>Thread safety: confined to the control plane; the probe's result is submitted from other threads.
 */
final class CheckLoop {

    private static final double JITTER = 0.1;

    /** Delay before a check that failed for a local reason is repeated. */
    private static final Duration AFTER_NO_VERDICT = Duration.ofSeconds(1);

    private final ControlPlane control;
    private final Probe probe;
    private final RandomGenerator random;
    private final CheckQueue queue;
    private final SkippedChecks missed;
    private final CheckTarget target;
    private List<WatchedBackend> backends = List.of();
    private @Nullable ProbeResult lastResult;
    /** Whether checks have succeeded, so that one more success changes nothing. */
    private boolean isSteady;

    private @Nullable ScheduledTask nextCheck;
    /** Whether no check is scheduled until requests fail. */
    private boolean resting;

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
        this.missed = missed;
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

    /** Requests have marked a backend down: unless a check is running, the next one starts within the fast interval. */
    void foundDown() {
        isSteady = false;
        hasten();
    }

    /** Moves the next check forward to the time at which it would be due if it were scheduled now. */
    private void hasten() {
        if (resting && !stopped) {
            resting = false;
            nextCheck = scheduled();
            return;
        }
        ScheduledTask set = nextCheck;
        if (set != null && !stopped) {
            ScheduledTask sooner = scheduled();
            boolean isSooner = sooner.remaining().compareTo(set.remaining()) < 0;
            (isSooner ? set : sooner).cancel();
            nextCheck = isSooner ? sooner : set;
        }
    }

    /**
     * Replaces the backends that receive the results of this check. A new backend receives the last result immediately. A
     * shorter check interval of the new backends takes effect immediately.
     */
    void backends(List<WatchedBackend> next) {
        Optional<Duration> before = minInterval();
        backends = List.copyOf(next);
        backends.forEach(backend -> backend.checkedBy(this));
        if (lastResult != null) {
            for (WatchedBackend backend : backends) {
                if (!backend.firstResult().isDone()) {
                    backend.checked(lastResult);
                }
            }
        }
        if (resting && !mayRest()) {
            hasten();
        }
        Optional<Duration> now = minInterval();
        if (before.isPresent() && now.isPresent() && now.get().compareTo(before.get()) < 0) {
            hasten();
        }
    }

    private boolean mayRest() {
        return backends.stream().allMatch(WatchedBackend::mayRest);
    }

    private Optional<Duration> minInterval() {
        return backends.stream().map(WatchedBackend::interval).min(Duration::compareTo);
    }

    private void check() {
        nextCheck = null;
        if (!stopped) {
            queue.enter(this);
        }
    }

    /** Runs the check after its turn has come. */
    void begin() {
        if (stopped) {
            queue.leave();
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
                finished(new ProbeResult(/* ok= */ false, Duration.ZERO, "check did not start: " + e));
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

    /** Called by any thread. */
    private void handOver(ProbeResult result, boolean wasSteady) {
        if (wasSteady && result.ok()) {
            control.executeAmongOthers(() -> finished(result));
        } else {
            control.execute(() -> finished(result));
        }
    }

    private void finished(ProbeResult result) {
        queue.leave();
        if (stopped) {
            return;
        }
        if (!result.isVerdict()) {
            missed.missed(target, result.text());
            nextCheck = scheduled(AFTER_NO_VERDICT, 1 - JITTER, 1 + JITTER);
            return;
        }
        lastResult = result;
        try {
            backends.forEach(backend -> backend.checked(result));
        } finally {
            // The next check is scheduled even if applying the result fails.
            resting = mayRest();
            nextCheck = resting ? null : scheduled();
            isSteady = result.ok() && !isChanging();
        }
    }

    private ScheduledTask scheduled() {
        Duration wait = backends.get(0).untilNextCheck();
        Duration interval = backends.get(0).interval();
        for (WatchedBackend backend : backends) {
            wait = lesser(wait, backend.untilNextCheck());
            interval = lesser(interval, backend.interval());
        }
        boolean backsOff = wait.compareTo(interval) < 0 && !isChanging();
        return backsOff ? scheduled(wait, 0.5, 1) : scheduled(wait, 1 - JITTER, 1 + JITTER);
    }

    /** Schedules the next check at a random time between the parts {@code from} and {@code to} of the wait. */
    private ScheduledTask scheduled(Duration wait, double from, double to) {
        return control.scheduleAmongOthers(
                this::check, part(wait, from), part(wait, from + (to - from) * random.nextDouble()), part(wait, to));
    }

    private static Duration lesser(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static Duration part(Duration whole, double part) {
        return Duration.ofNanos((long) (whole.toNanos() * part));
    }
}
