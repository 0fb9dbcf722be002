package io.ballast.http.relay;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.pool.WaitQueue;
import io.ballast.http.net.Worker;
import io.ballast.net.timer.DeadlineWheel;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that waits for a backend slot. Any event loop may assign the slot; the exchange continues on its own
 * event loop.
 *
 * <p>Thread safety: event-loop confined, except for the callbacks of {@link WaitQueue.Waiter}.
 */
public abstract class QueuedExchange extends WaitQueue.Waiter {

    private final Pool pool;
    private final WaitQueue queue;
    private final Worker worker;
    private final Deadline deadline = new Deadline();

    /** @param queue the queue of {@code pool} */
    protected QueuedExchange(Pool pool, WaitQueue queue, Worker worker) {
        this.pool = pool;
        this.queue = queue;
        this.worker = worker;
    }

    /**
     * Whether the exchange is still waiting. Like {@link #slotGranted} and {@link #waitFailed}, it is called on
     * the exchange's event loop.
     */
    protected abstract boolean isWaiting();

    /** Called when the wait has succeeded: a slot of the backend {@code free} is reserved for the exchange. */
    protected abstract void slotGranted(Backend free);

    /** Called if the wait ends and no slot of a backend was granted. */
    protected abstract void waitFailed(Failure reason);

    /**
     * Adds the exchange to the queue, where it waits at most for the pool's queue timeout. Returns false if the
     * queue is full.
     */
    public final boolean join() {
        if (!queue.join(this)) {
            count(PoolCounter.QUEUE_REFUSED);
            return false;
        }
        count(PoolCounter.QUEUED);
        worker.setDeadline(deadline, pool.config().queue().timeout());
        return true;
    }

    /** Leaves the queue. If a slot was assigned to the exchange, the slot goes to the next waiter. */
    public final void leaveQueue() {
        worker.deadlines().remove(deadline);
        queue.leave(this);
    }

    /** Leaves the queue because the client has disconnected. */
    public final void leaveQueueOnDisconnect() {
        count(PoolCounter.QUEUE_LEFT);
        leaveQueue();
    }

    @Override
    protected final void onPermit(Backend backend) {
        worker.eventLoop().execute(() -> finishWait(backend));
    }

    @Override
    protected final void onNoBackendUp() {
        worker.eventLoop().execute(() -> finishWait(null));
    }

    private void finishWait(@Nullable Backend backend) {
        worker.deadlines().remove(deadline);
        if (!isWaiting()) {
            if (backend != null) {
                queue.release(backend);
            }
        } else if (backend != null) {
            slotGranted(backend);
        } else {
            waitFailed(BackendSearch.noBackendFailure(pool));
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
