package io.ballast.http.exchange;

import io.ballast.http.net.Worker;
import io.ballast.net.timer.DeadlineWheel;
import org.jspecify.annotations.Nullable;

/**
 * What a listener allows its exchanges: how many at once, and how long one may take as a whole. One object serves all
 * exchanges of a client connection, one after the other. Event-loop confined.
 */
final class Admission {

    private final Worker worker;
    private final Listener listener;
    private final @Nullable WholeDeadline deadline;
    private boolean counted;

    /** @param onTimeout what is done when an exchange takes too long */
    Admission(Worker worker, Listener listener, Runnable onTimeout) {
        this.worker = worker;
        this.listener = listener;
        this.deadline = listener.config().deadlines().exchange().isZero() ? null : new WholeDeadline(onTimeout);
    }

    /** Lets an exchange begin; false if there are as many as allowed. */
    boolean enter() {
        if (listener.limitsExchanges()) {
            counted = listener.beginExchange();
            if (!counted) {
                return false;
            }
        }
        if (deadline != null) {
            worker.setDeadline(deadline, listener.config().deadlines().exchange());
        }
        return true;
    }

    /** The exchange is over, whether it was let in or not. */
    void leave() {
        if (deadline != null) {
            worker.deadlines().remove(deadline);
        }
        if (counted) {
            counted = false;
            listener.endExchange();
        }
    }

    private static final class WholeDeadline extends DeadlineWheel.Deadline {

        private final Runnable onTimeout;

        WholeDeadline(Runnable onTimeout) {
            this.onTimeout = onTimeout;
        }

        @Override
        protected void expired(long nowNanos) {
            onTimeout.run();
        }
    }
}
