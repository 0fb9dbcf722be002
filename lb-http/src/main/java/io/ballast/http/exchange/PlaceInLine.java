package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.pool.WaitLine;
import io.ballast.http.net.Worker;
import io.ballast.net.timer.DeadlineWheel;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that waits for a backend. Served by whichever event loop has a place to give, it carries on on its own.
 *
 * <p>Thread safety: event-loop confined, except for the callbacks of {@link WaitLine.Waiter}.
 */
final class PlaceInLine extends WaitLine.Waiter {

    private final Pool pool;
    private final WaitLine line;
    private final Worker worker;
    private final Exchange exchange;
    private final Deadline deadline = new Deadline();

    /** @param line of {@code pool} */
    PlaceInLine(Pool pool, WaitLine line, Worker worker, Exchange exchange) {
        this.pool = pool;
        this.line = line;
        this.worker = worker;
        this.exchange = exchange;
    }

    /** Gets in line for as long as the pool allows; false if the line is full. */
    boolean join() {
        if (!line.join(this)) {
            count(PoolCounter.QUEUE_REFUSED);
            return false;
        }
        count(PoolCounter.QUEUED);
        worker.setDeadline(deadline, pool.config().queue().timeout());
        return true;
    }

    /** Leaves the line; a place that is on its way all the same is given to the next one. */
    void leave() {
        worker.deadlines().remove(deadline);
        line.leave(this);
    }

    /** The same, because the client is gone. */
    void leaveWithClient() {
        count(PoolCounter.QUEUE_LEFT);
        leave();
    }

    @Override
    protected void served(Backend backend) {
        worker.eventLoop().execute(() -> carryOn(backend));
    }

    @Override
    protected void noneUp() {
        worker.eventLoop().execute(() -> carryOn(null));
    }

    private void carryOn(@Nullable Backend backend) {
        worker.deadlines().remove(deadline);
        if (!exchange.isWaitingIn(this)) {
            if (backend != null) {
                line.release(backend);
            }
        } else if (backend != null) {
            exchange.waited(backend);
        } else {
            exchange.waitedInVain(Failure.NONE_UP);
        }
    }

    private void count(PoolCounter counter) {
        pool.counters().shard(worker.index()).increment(counter);
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (line.leave(PlaceInLine.this)) {
                count(PoolCounter.QUEUE_TIMEOUTS);
                exchange.waitedInVain(Failure.QUEUE_TIMEOUT);
            }
        }
    }
}
