package io.ballast.http.relay;

import io.ballast.http.net.Worker;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a listener allows its exchanges: how many at once, and how long one may take as a whole. One object serves all
 * exchanges of a client connection, one after the other. Event-loop confined.
 */
public final class Admission {

    private final Worker worker;
    private final InFlightLimit limit;
    private final Duration most;
    private final @Nullable WholeDeadline deadline;
    private boolean counted;

    /**
     * @param limit of the listener, shared by all event loops
     * @param most how long an exchange may take; zero if that is not limited
     * @param onTimeout what is done when an exchange takes longer
     */
    public Admission(Worker worker, InFlightLimit limit, Duration most, Runnable onTimeout) {
        this.worker = worker;
        this.limit = limit;
        this.most = most;
        this.deadline = most.isZero() ? null : new WholeDeadline(onTimeout);
    }

    /** Lets an exchange begin; false if there are as many as allowed. */
    public boolean enter() {
        if (limit.isSet()) {
            counted = limit.tryBegin();
            if (!counted) {
                return false;
            }
        }
        if (deadline != null) {
            worker.setDeadline(deadline, most);
        }
        return true;
    }

    /** The exchange has become a tunnel: how long it takes is not limited any more. */
    public void tunnel() {
        if (deadline != null) {
            worker.deadlines().remove(deadline);
        }
    }

    /** The exchange is over, whether it was let in or not. */
    public void leave() {
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
