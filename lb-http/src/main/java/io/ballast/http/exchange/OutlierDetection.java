package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.pool.Pool;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.BackendFailureListener;
import io.ballast.http.relay.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Reports backends that fail consecutive requests ({@link io.ballast.core.backend.RequestErrors}). Allocates only when
 * it reports. Event-loop confined.
 */
final class OutlierDetection {

    private final Worker worker;
    private final BackendFailureListener failureListener;
    private int probations;

    OutlierDetection(Worker worker, BackendFailureListener failure) {
        this.worker = worker;
        this.failureListener = failure;
    }

    /** Starts an attempt on a backend; the other methods report its outcome. */
    void started(Backend backend) {
        probations = backend.requestErrors().probations();
    }

    /** Records that a backend of the pool answered with {@code status}. */
    void answered(Pool pool, Backend backend, int status) {
        if (status < 400 || !pool.config().outlier().covers(status)) {
            backend.requestErrors().recordSuccess(probations);
            return;
        }
        String failed = failed(pool, backend);
        if (failed != null) {
            failureListener.requestsFailed(backend, failed + ": status " + status);
        }
    }

    /**
     * Records that a backend of the pool did not answer.
     *
     * @param reason the error text; empty if the failure needs no details
     */
    void failed(Pool pool, Backend backend, Failure failure, String reason) {
        if (!failure.suggestsUnhealthyBackend()) {
            return;
        }
        String failed = failed(pool, backend);
        if (failed != null) {
            String last = reason.isEmpty() ? failure.label().replace('_', ' ') : reason;
            this.failureListener.requestsFailed(backend, failed + ": " + last);
        }
    }

    private @Nullable String failed(Pool pool, Backend backend) {
        OutlierConfig config = pool.config().outlier();
        if (config.isOff()) {
            return null;
        }
        String enough = backend.requestErrors().recordFailure(probations, config.consecutiveErrors(), worker.now());
        failureListener.exchangeFailed(backend);
        return enough;
    }
}
