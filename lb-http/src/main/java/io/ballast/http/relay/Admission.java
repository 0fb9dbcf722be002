package io.ballast.http.relay;

import io.ballast.http.net.Worker;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Enforces a listener's limits on exchanges: how many run at once, and how long each may take. One object serves all
 * exchanges of a client connection, in sequence. Event-loop confined.
 */
public final class Admission {

    private final Worker worker;
    private final InFlightLimit limit;
    private final Duration max;
    private final @Nullable WholeDeadline deadline;
    private boolean counted;

    /**
     * @param limit the listener's limit, shared by all event loops
     * @param max the maximum duration of an exchange; zero for no limit
     * @param onTimeout called when an exchange takes longer
     */
    public Admission(Worker worker, InFlightLimit limit, Duration max, Runnable onTimeout) {
        this.worker = worker;
        this.limit = limit;
        this.max = max;
        this.deadline = max.isZero() ? null : new WholeDeadline(onTimeout);
    }

    /** Admits an exchange; false if the listener is at its limit. */
    public boolean tryAcquire() {
        if (limit.isSet()) {
            counted = limit.tryBegin();
            if (!counted) {
                return false;
            }
        }
        if (deadline != null) {
            worker.setDeadline(deadline, max);
        }
        return true;
    }

    /** Removes the time limit, because the exchange has become a tunnel. */
    public void removeTimeLimit() {
        if (deadline != null) {
            worker.deadlines().remove(deadline);
        }
    }

    /** Ends an exchange, whether or not it was admitted. */
    public void release() {
        if (deadline != null) {
            worker.deadlines().remove(deadline);
        }
        if (counted) {
            counted = false;
            limit.end();
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
