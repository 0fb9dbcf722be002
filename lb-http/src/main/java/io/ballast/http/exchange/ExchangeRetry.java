package io.ballast.http.exchange;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.AttemptHistory;
import io.ballast.http.relay.BackendChoice;
import io.ballast.http.relay.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an exchange whose attempt has failed moves to another connection or another backend. One object
 * serves all exchanges of a client connection, in sequence. Event-loop confined.
 */
final class ExchangeRetry {

    enum Next {
        /** A new connection to the same backend, because the reused connection was stale. */
        SAME_BACKEND,
        /** The backend that {@link #moveOn} returns. */
        OTHER_BACKEND,
        NONE
    }

    private final Worker worker;
    private final AttemptHistory attempts;
    private final BackendChoice choice;
    private final ExchangeReport report;
    /** The next backend to try, reserved until {@link #moveOn}; null if no other backend will be tried. */
    private @Nullable Backend reserved;

    ExchangeRetry(Worker worker, AttemptHistory attempts, BackendChoice choice, ExchangeReport report) {
        this.worker = worker;
        this.attempts = attempts;
        this.choice = choice;
        this.report = report;
    }

    /**
     * Records the failure of an attempt, and decides the next step.
     *
     * @param link the connection of the attempt; null if there was none
     * @param maySendAgain whether the client can send its request again
     */
    Next afterFailure(Failure failure, String reason, @Nullable BackendSide link, boolean maySendAgain) {
        report.reason(reason);
        report.failed(failure);
        worker.readClock();
        if (maySendAgain && attempts.tryReplaceStale(failure, link != null && link.isReused())) {
            report.retried();
            return Next.SAME_BACKEND;
        }
        if (!wasStale(failure, link)) {
            report.suspect(failure, reason);
        }
        boolean movesOn = maySendAgain
                && attempts.mayTryAnother(failure, worker.now())
                && reserveAnother(failure.source() == Failure.Source.BACKEND, /* sent= */ link != null);
        return movesOn ? Next.OTHER_BACKEND : Next.NONE;
    }

    /**
     * Whether the backend probably closed an idle connection just as we reused it. This does not apply to HTTP/2: an
     * HTTP/2 connection is rarely idle, and the backend announces which streams it will not serve.
     */
    private static boolean wasStale(Failure failure, @Nullable BackendSide link) {
        return failure == Failure.RESET_BEFORE_RESPONSE && link != null && link.isReused() && !link.framesBodies();
    }

    /** Whether to drop a response with this head and try another backend. If so, the other backend is reserved. */
    boolean declines(ResponseScanner head) {
        if (!attempts.conditions().covers(head.status())
                || !attempts.maySendAgain(worker.now())
                || !reserveAnother(/* isBackendFailure= */ true, /* sent= */ true)) {
            return false;
        }
        report.declined(head.status());
        return true;
    }

    private boolean reserveAnother(boolean isBackendFailure, boolean sent) {
        reserved = choice.reserveAnother();
        if (reserved == null) {
            return false;
        }
        report.retried();
        if (isBackendFailure) {
            report.recordFailure();
        }
        if (sent) {
            attempts.chargeRetryBudget(worker.now());
        }
        return true;
    }

    /** Releases the current backend, and returns the reserved backend; the caller owns its slot. */
    Backend moveOn() {
        Backend next = requireNonNull(reserved);
        reserved = null;
        choice.release(choice.backend());
        return next;
    }
}
