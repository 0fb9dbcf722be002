package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendStats;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import io.ballast.core.pool.Pool;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Compares the share of failed requests of each backend with the share of the pool's other backends, once per
 * second, and ejects outliers. A backend's window is as long as needed to contain its minimum number of
 * requests, at most {@value #SECONDS} seconds; at thousands of requests per second, one second is enough.
 * While there are no failures, it uses no CPU and no memory.
 *
 * <p>Thread safety: confined to the control plane, except for {@link #requestFailed}. Cost: linear in the
 * backends, once per second while requests fail.
 */
final class FailureShares {

    static final int SECONDS = 10;

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The counters of requests that could not be sent; sent requests are counted as {@code REQUESTS}. */
    private static final List<BackendCounter> NOT_SENT = List.of(
            BackendCounter.FAILED_CONNECT_REFUSED,
            BackendCounter.FAILED_CONNECT_TIMEOUT,
            BackendCounter.FAILED_CONNECT);

    private final ControlPlane control;
    private final Pool pool;
    private final List<WatchedBackend> backends;
    private final Samples requests;
    private final Samples errors;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final Runnable begin = this::begin;
    private @Nullable ScheduledTask next;
    private boolean stopped;

    FailureShares(ControlPlane control, Pool pool, List<WatchedBackend> backends) {
        this.control = control;
        this.pool = pool;
        this.backends = List.copyOf(backends);
        this.requests = new Samples(backends.size());
        this.errors = new Samples(backends.size());
    }

    /** Whether this object compares exactly these backends, in this order. */
    boolean hasBackends(List<WatchedBackend> others) {
        return backends.equals(others);
    }

    /**
     * Records that a request failed on a backend. Called on any event loop. Cost: one read. The periodic
     * comparison of the backends stops after a time without failures; if it has stopped, this call restarts
     * it.
     */
    void requestFailed() {
        if (!looking.getPlain() && looking.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            control.execute(begin);
        }
    }

    /** Stops all comparisons permanently. */
    void stop() {
        stopped = true;
        if (next != null) {
            next.cancel();
        }
    }

    private void begin() {
        if (!stopped) {
            requests.clear();
            errors.clear();
            sample();
            next = control.scheduleTask(this::sampleAndCompare, SECOND);
        }
    }

    private void sampleAndCompare() {
        sample();
        if (errors.total(SECONDS) == 0) {
            requests.clear();
            errors.clear();
            looking.set(false);
            return;
        }
        OutlierConfig config = pool.config().outlier();
        if (config.failurePercent() > 0) {
            for (int i = 0; i < backends.size(); i++) {
                compare(i, config);
            }
        }
        next = control.scheduleTask(this::sampleAndCompare, SECOND);
    }

    private void sample() {
        requests.next();
        errors.next();
        for (int i = 0; i < backends.size(); i++) {
            Backend backend = backends.get(i).backend();
            requests.put(i, requests(backend.stats()));
            errors.put(i, backend.requestErrors().total());
        }
    }

    private static long requests(BackendStats stats) {
        long requests = stats.sum(BackendCounter.REQUESTS);
        for (BackendCounter counter : NOT_SENT) {
            requests += stats.sum(counter);
        }
        return requests;
    }

    private void compare(int index, OutlierConfig config) {
        int seconds = 1;
        while (seconds < SECONDS && requests.of(index, seconds) < config.minRequests()) {
            seconds++;
        }
        long own = requests.of(index, seconds);
        long others = requests.total(seconds) - own;
        if (own < config.minRequests() || others < config.minRequests()) {
            return; // too few requests for a comparison, or no other backends to compare with
        }
        long ownErrors = Math.min(errors.of(index, seconds), own);
        long otherErrors = Math.min(errors.total(seconds) - errors.of(index, seconds), others);
        if (100 * (ownErrors * others - otherErrors * own) < config.failurePercent() * own * others) {
            return;
        }
        boolean ejected = backends.get(index)
                .eject(ownErrors + " of " + own + " requests failed in " + seconds + " s, elsewhere " + otherErrors
                        + " of " + others);
        if (ejected) {
            requests.forget(index); // the backend must start with empty counts after the ejection
            errors.forget(index);
        }
    }

    /**
     * Samples of the counters of all backends, taken at the end of each of the last {@code SECONDS} seconds;
     * counters never decrease.
     */
    private static final class Samples {

        private static final int SLOTS = SECONDS + 1;

        private final int size;
        private long[][] slots = {};
        private final long[] totals = new long[SLOTS];
        private int sampleCount;

        Samples(int size) {
            this.size = size;
        }

        void clear() {
            slots = new long[0][];
            sampleCount = 0;
        }

        /** Starts the next sample. */
        void next() {
            if (slots.length == 0) {
                slots = new long[SLOTS][size];
            }
            sampleCount++;
            totals[slot(0)] = 0;
        }

        void put(int index, long value) {
            slots[slot(0)][index] = value;
            totals[slot(0)] += value;
        }

        /**
         * The increase of one counter in the last {@code seconds}, or since the first sample if that is more recent.
         */
        long of(int index, int seconds) {
            return slots[slot(0)][index] - slots[slot(seconds)][index];
        }

        /**
         * The increase of the sum of all counters in the last {@code seconds} seconds, or since the first sample if
         * that sample is more recent.
         */
        long total(int seconds) {
            return totals[slot(0)] - totals[slot(seconds)];
        }

        /** Removes one backend from the past samples. */
        void forget(int index) {
            long now = slots[slot(0)][index];
            for (int i = 0; i < SLOTS; i++) {
                totals[i] += now - slots[i][index];
                slots[i][index] = now;
            }
        }

        /**
         * Returns the index of the sample taken {@code seconds} ago, or of the first sample if that is more recent.
         */
        private int slot(int seconds) {
            return (sampleCount - Math.min(seconds, sampleCount - 1)) % SLOTS;
        }
    }
}
