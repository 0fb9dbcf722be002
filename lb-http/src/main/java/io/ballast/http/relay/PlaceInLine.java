package io.ballast.http.relay;

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
public abstract class PlaceInLine extends WaitLine.Waiter {

    private final Pool pool;
    private final WaitLine line;
    private final Worker worker;
    private final Deadline deadline = new Deadline();

    /** @param line of {@code pool} */
    protected PlaceInLine(Pool pool, WaitLine line, Worker worker) {
        this.pool = pool;
        this.line = line;
        this.worker = worker;
    }

    /** Whether the exchange still waits here. Called on its event loop, as are the next two. */
    protected abstract boolean isWaiting();

    /** The wait is over: there is a place on a backend. */
    protected abstract void waited(Backend free);

    /** The wait is over, and no backend had room. */
    protected abstract void waitedInVain(Failure reason);

    /** Gets in line for as long as the pool allows; false if the line is full. */
    public final boolean join() {
        if (!line.join(this)) {
            count(PoolCounter.QUEUE_REFUSED);
            return false;
        }
        count(PoolCounter.QUEUED);
        worker.setDeadline(deadline, pool.config().queue().timeout());
        return true;
    }

    /** Leaves the line; a place that is on its way all the same is given to the next one. */
    public final void leave() {
        worker.deadlines().remove(deadline);
        line.leave(this);
    }

    /** The same, because the client is gone. */
    public final void leaveWithClient() {
        count(PoolCounter.QUEUE_LEFT);
        leave();
    }

    @Override
    protected final void served(Backend backend) {
        worker.eventLoop().execute(() -> carryOn(backend));
    }

    @Override
    protected final void noneUp() {
        worker.eventLoop().execute(() -> carryOn(null));
    }

    private void carryOn(@Nullable Backend backend) {
        worker.deadlines().remove(deadline);
        if (!isWaiting()) {
            if (backend != null) {
                line.release(backend);
            }
        } else if (backend != null) {
            waited(backend);
        } else {
            waitedInVain(Failure.NONE_UP);
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
                waitedInVain(Failure.QUEUE_TIMEOUT);
            }
        }
    }
}
