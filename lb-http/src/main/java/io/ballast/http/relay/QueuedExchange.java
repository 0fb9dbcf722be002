package io.ballast.http.relay;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.pool.WaitQueue;
import io.ballast.http.net.Worker;
import io.ballast.net.timer.DeadlineWheel;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that waits for a backend. Any event loop may give it a place; it goes on on its own event loop.
 *
 * <p>Thread safety: event-loop confined, except for the callbacks of {@link WaitQueue.Waiter}.
 */
public abstract class QueuedExchange extends WaitQueue.Waiter {

    private final Pool pool;
    private final WaitQueue queue;
    private final Worker worker;
    private final Deadline deadline = new Deadline();

    /** @param queue of {@code pool} */
    protected QueuedExchange(Pool pool, WaitQueue queue, Worker worker) {
        this.pool = pool;
        this.queue = queue;
        this.worker = worker;
    }

    /** Whether the exchange still waits here. Called on its event loop, as are the next two. */
    protected abstract boolean isWaiting();

    /** The wait is over: there is a place on a backend. */
    protected abstract void waited(Backend free);

    /** The wait is over without a place. */
    protected abstract void waitFailed(Failure reason);

    /** Joins the queue for as long as the pool allows; false if it is full. */
    public final boolean join() {
        if (!queue.join(this)) {
            count(PoolCounter.QUEUE_REFUSED);
            return false;
        }
        count(PoolCounter.QUEUED);
        worker.setDeadline(deadline, pool.config().queue().timeout());
        return true;
    }

    /** Leaves the queue; a place that is on its way all the same is given to the next one. */
    public final void leave() {
        worker.deadlines().remove(deadline);
        queue.leave(this);
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
                queue.release(backend);
            }
        } else if (backend != null) {
            waited(backend);
        } else {
            waitFailed(BackendSearch.noneUp(pool));
        }
    }

    private void count(PoolCounter counter) {
        pool.counters().shard(worker.index()).increment(counter);
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (queue.leave(QueuedExchange.this)) {
                count(PoolCounter.QUEUE_TIMEOUTS);
                waitFailed(Failure.QUEUE_TIMEOUT);
            }
        }
    }
}
