package io.ballast.http.relay;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.pool.WaitQueue;
import io.ballast.http.net.Worker;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first backend of an exchange: the one that the pool's strategy picks or, when all are full, the one that has
 * room first. One object serves all exchanges of a client connection, one after the other. Event-loop confined.
 */
public abstract class BackendSearch {

    private final Worker worker;
    private final BackendChoice choice;
    private @Nullable QueuedExchange queued;

    protected BackendSearch(Worker worker, BackendChoice choice) {
        this.worker = worker;
        this.choice = choice;
    }

    /** A place on a backend was taken. Called at once, or later on the event loop. */
    protected abstract void found(Backend backend);

    /** There is no place. The owner leaves the queue. */
    protected abstract void notFound(Failure reason);

    /**
     * Looks for a backend of the pool that the choice has begun with.
     *
     * @param generation that of the topology in whose routes the pool was found
     */
    public final void begin(Pool pool, int generation) {
        WaitQueue queue = pool.waitQueue();
        if (queue != null && queue.isWaited()) {
            await(pool, queue); // none overtakes those that wait
            return;
        }
        PoolSnapshot snapshot = pool.snapshot(generation);
        Backend picked = choice.reserve(snapshot);
        if (picked != null) {
            found(picked);
        } else if (snapshot.usable().isEmpty()) {
            notFound(noneUp(pool));
        } else if (queue == null) {
            notFound(Failure.NONE_LEFT);
        } else {
            await(pool, queue);
        }
    }

    private void await(Pool pool, WaitQueue queue) {
        QueuedExchange waiting = new Waiting(pool, queue);
        if (!waiting.join()) {
            notFound(Failure.QUEUE_FULL);
            return;
        }
        queued = waiting;
        VarHandle.fullFence(); // joining comes before looking again: see WaitQueue
        PoolSnapshot snapshot = pool.snapshot();
        Backend free = choice.reserve(snapshot);
        if (free != null) {
            queue.release(free); // to the first in the queue
        } else if (snapshot.usable().isEmpty()) {
            notFound(noneUp(pool));
        }
    }

    /** Why a pool has nobody who takes traffic. */
    public static Failure noneUp(Pool pool) {
        return pool.maintenance().isPresent() ? Failure.MAINTENANCE : Failure.NONE_UP;
    }

    /** Leaves the queue, if it waits there. */
    public final void leave() {
        if (queued != null) {
            queued.leave();
            queued = null;
        }
    }

    /** The same, because the client is gone. */
    public final void leaveWithClient() {
        if (queued != null) {
            queued.leaveWithClient();
            queued = null;
        }
    }

    private final class Waiting extends QueuedExchange {

        Waiting(Pool pool, WaitQueue queue) {
            super(pool, queue, worker);
        }

        @Override
        protected boolean isWaiting() {
            return queued == this;
        }

        @Override
        protected void waited(Backend free) {
            queued = null;
            worker.readClock();
            found(free);
        }

        @Override
        protected void waitFailed(Failure reason) {
            queued = null;
            notFound(reason);
        }
    }
}
