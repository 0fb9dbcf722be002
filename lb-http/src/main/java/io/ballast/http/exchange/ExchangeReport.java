package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.stats.Counters;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.BackendChoice;
import io.ballast.http.relay.BackendFailureListener;
import io.ballast.http.relay.Failure;
import io.ballast.http.trace.RequestTrace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Records an exchange in the backend statistics, in the response times used by balancing strategies, in outlier
 * detection, and in the exchange's own times for the access log. One object serves all exchanges of a client
 * connection, in sequence. Event-loop confined.
 */
final class ExchangeReport {

    /**
     * The minimum response time recorded for a failed request, so that the least-response-time strategy does not
     * prefer a backend that fails quickly.
     */
    private static final long FAILURE_PENALTY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Worker worker;
    private final BackendFailureListener failureListener;
    private final OutlierDetection outliers;
    private final BackendChoice choice;
    private final ExchangeTimes times = new ExchangeTimes();
    /**
     * The time when the current attempt passed its request to its connection. Until the attempt has a connection, this
     * is the time when it requested a connection.
     */
    private long sinceNanos;

    private int status;
    /** Records the attempts of the exchange; null if they are not recorded. */
    private @Nullable RequestTrace trace;

    /**
     * @param failureListener is notified of backends that fail consecutive requests
     * @param choice the pool and the current backend of the exchange
     */
    ExchangeReport(Worker worker, BackendFailureListener failureListener, BackendChoice choice) {
        this.worker = worker;
        this.failureListener = failureListener;
        this.choice = choice;
        this.outliers = new OutlierDetection(worker, failureListener);
    }

    ExchangeTimes times() {
        return times;
    }

    /** @param recorded the trace of the request if its attempts are recorded; null otherwise */
    void started(@Nullable RequestTrace recorded) {
        status = 0;
        trace = recorded;
        times.begin(worker.now());
    }

    /** Ends the exchange; its pool, if it has one, counts one request, regardless of the number of attempts. */
    void ended(@Nullable Failure failure) {
        if (!choice.hasPool()) {
            return;
        }
        Counters.Shard<PoolCounter> counters = choice.pool().counters().shard(worker.index());
        counters.increment(PoolCounter.REQUESTS);
        if (FailureStatus.isError(status, failure)) {
            counters.increment(PoolCounter.ERRORS);
        }
        trace = null;
    }

    /** Records that a connection to the backend has been requested. */
    void connecting() {
        Backend backend = choice.backend();
        sinceNanos = worker.now();
        times.connect(backend.addressBytes(), sinceNanos);
        outliers.started(backend);
        if (trace != null) {
            trace.attempt(backend.addressBytes(), sinceNanos);
        }
    }

    /** Reports a connection that could not be established, if the backend caused it. */
    void connectFailed(Failure failure, String reason) {
        if (failure.source() == Failure.Source.BACKEND) {
            failureListener.connectFailed(choice.backend(), reason);
        }
    }

    /** Sets the failure text of the current attempt. */
    void reason(String text) {
        times.reason(text);
    }

    /** Records that the request is now being passed to a connection. */
    void sent() {
        sinceNanos = worker.now();
        times.connected(sinceNanos);
        counters().increment(BackendCounter.REQUESTS);
    }

    void informational() {
        counters().increment(BackendCounter.RESPONSES_1XX);
    }

    /** Records that the head of the response has arrived. */
    void answered(int code) {
        status = code;
        times.answered(worker.now());
        counters().increment(BackendCounter.ofStatus(code));
        outliers.answered(choice.pool(), choice.backend(), code);
        if (trace != null) {
            trace.attemptAnswered(code);
        }
    }

    /** Records that the response is complete. */
    void finished() {
        Backend backend = choice.backend();
        long now = worker.now();
        if (trace != null) {
            trace.attemptEnded(/* cause= */ null, now);
        }
        long took = now - sinceNanos;
        backend.stats().latency(worker.index()).record(took);
        if (status >= 500) {
            penalize(took, now);
        } else {
            backend.responseTime().record(took, now);
        }
    }

    /** Counts a failed exchange with this backend. */
    void failed(Failure failure) {
        BackendCounter counter = failure.counter();
        if (counter != null) {
            counters().increment(counter);
        }
        if (trace != null) {
            trace.attemptEnded(failure, worker.now());
        }
    }

    /**
     * Counts a failed attempt towards the consecutive errors of the backend.
     *
     * @param reason the error text; empty if the failure needs no details
     */
    void suspect(Failure failure, String reason) {
        outliers.failed(choice.pool(), choice.backend(), failure, reason);
    }

    /** Counts a response that is dropped because another backend is tried. */
    void declined(int code) {
        counters().increment(BackendCounter.ofStatus(code));
        outliers.answered(choice.pool(), choice.backend(), code);
        if (trace != null) {
            trace.attemptAnswered(code);
            trace.attemptEnded(/* cause= */ null, worker.now());
        }
    }

    /** Counts a retry: the exchange moves from this backend to another connection or another backend. */
    void retried() {
        counters().increment(BackendCounter.RETRIES);
    }

    /** Records a response time for a request that failed because of the backend. */
    void recordFailure() {
        long now = worker.now();
        penalize(now - sinceNanos, now);
    }

    /**
     * Records that an exchange ends before its response is complete; does nothing if the exchange has no backend.
     *
     * @param connected whether the attempt had a connection
     */
    void abandoned(Failure failure, boolean connected, boolean wasTunnel) {
        if (!choice.hasBackend()) {
            return;
        }
        if (connected) {
            failed(failure);
        }
        // The backend of a tunnel has already responded, and the duration of the tunnel is not a response time.
        if (!wasTunnel && failure.source() == Failure.Source.BACKEND) {
            worker.readClock();
            recordFailure();
        }
    }

    /**
     * Records the failure with a time penalty, so that a backend that fails quickly looks neither fast nor idle.
     */
    private void penalize(long took, long now) {
        Backend backend = choice.backend();
        backend.responseTime().recordFailure(took, FAILURE_PENALTY_NANOS, now);
        backend.inFlight().recordFailure(ExpectedTime.nanos(choice.pool(), backend, now) - took, now);
    }

    private Counters.Shard<BackendCounter> counters() {
        return choice.backend().stats().counters(worker.index());
    }
}
