package io.ballast.http.relay;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.pool.WaitQueue;
import io.ballast.http.net.Worker;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first backend of an exchange. This is the backend that the pool picks or, if all backends are
 * full, the first backend with a free slot. One object serves all exchanges of a client connection, in
 * sequence. Event-loop confined.
 */
public final class BackendSearch {

    private final Worker worker;
    private final BackendChoice choice;
    private final Consumer<Backend> found;
    private final Consumer<Failure> notFound;
    private @Nullable QueuedExchange queued;

    /**
     * Creates a search object, which its owner reuses for one exchange after another.
     *
     * @param found called with a backend on which a slot was taken, either immediately or later on the event loop
     * @param notFound called if there is no slot; the owner must then call {@link #leaveQueue}
     */
    public BackendSearch(Worker worker, BackendChoice choice, Consumer<Backend> found, Consumer<Failure> notFound) {
        this.worker = worker;
        this.choice = choice;
        this.found = found;
        this.notFound = notFound;
    }

    /**
     * Searches for a backend of {@code pool}, for which {@link BackendChoice#begin} was called before.
     *
     * @param generation the generation of the topology whose routes selected the pool
     */
    public void begin(Pool pool, int generation) {
        WaitQueue queue = pool.waitQueue();
        if (queue != null && queue.hasWaiters()) {
            await(pool, queue); // exchanges that already wait in the queue are served first
            return;
        }
        PoolSnapshot snapshot = pool.snapshot(generation);
        Backend picked = choice.reserve(snapshot);
        if (picked != null) {
            found.accept(picked);
        } else if (snapshot.usable().isEmpty()) {
            notFound.accept(noBackendFailure(pool));
        } else if (queue == null) {
            notFound.accept(Failure.NONE_LEFT);
        } else {
            await(pool, queue);
        }
    }

    private void await(Pool pool, WaitQueue queue) {
        QueuedExchange waiting = new Waiting(pool, queue);
        if (!waiting.join()) {
            notFound.accept(Failure.QUEUE_FULL);
            return;
        }
        queued = waiting;
        VarHandle.fullFence(); // the exchange joins the queue before it searches again: see WaitQueue
        PoolSnapshot snapshot = pool.snapshot();
        Backend free = choice.reserve(snapshot);
        if (free != null) {
            queue.release(free); // the slot goes to the first waiter
        } else if (snapshot.usable().isEmpty()) {
            notFound.accept(noBackendFailure(pool));
        }
    }

    /** The reason why a pool has no usable backend. */
    public static Failure noBackendFailure(Pool pool) {
        return pool.maintenance().isPresent() ? Failure.MAINTENANCE : Failure.NONE_UP;
    }

    /** Leaves the queue if the exchange waits in it. */
    public void leaveQueue() {
        if (queued != null) {
            queued.leaveQueue();
            queued = null;
        }
    }

    /** Removes the exchange from the queue because the client has disconnected. */
    public void leaveQueueOnDisconnect() {
        if (queued != null) {
            queued.leaveQueueOnDisconnect();
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
        protected void slotGranted(Backend free) {
            queued = null;
            worker.readClock();
            found.accept(free);
        }

        @Override
        protected void waitFailed(Failure reason) {
            queued = null;
            notFound.accept(reason);
        }
    }
}
