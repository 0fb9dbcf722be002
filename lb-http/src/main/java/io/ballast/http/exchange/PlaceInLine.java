package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.WaitLine;
import io.ballast.http.net.DeadlineWheel;
import io.ballast.http.net.Worker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that waits for a backend. Served by whichever event loop has a place to give, it carries on on its own.
 *
 * <p>Thread safety: event-loop confined, except for the callbacks of {@link WaitLine.Waiter}.
 */
final class PlaceInLine extends WaitLine.Waiter {

    private final WaitLine line;
    private final Worker worker;
    private final Exchange exchange;
    private final Deadline deadline = new Deadline();

    PlaceInLine(WaitLine line, Worker worker, Exchange exchange) {
        this.line = line;
        this.worker = worker;
        this.exchange = exchange;
    }

    /** Gets in line for at most this time; false if the line is full. */
    boolean join(Duration most) {
        if (!line.join(this)) {
            return false;
        }
        worker.setDeadline(deadline, most);
        return true;
    }

    /** Leaves the line; a place that is on its way all the same is given to the next one. */
    void leave() {
        worker.deadlines().remove(deadline);
        line.leave(this);
    }

    @Override
    protected void served(Backend backend) {
        worker.loop().execute(() -> carryOn(backend));
    }

    @Override
    protected void noneUp() {
        worker.loop().execute(() -> carryOn(null));
    }

    private void carryOn(@Nullable Backend backend) {
        worker.deadlines().remove(deadline);
        if (exchange.isWaitingIn(this)) {
            exchange.waited(backend);
        } else if (backend != null) {
            line.release(backend);
        }
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (line.leave(PlaceInLine.this)) {
                exchange.waitedInVain();
            }
        }
    }
}
