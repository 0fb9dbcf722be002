package io.ballast.http.relay;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.PickContext;
import io.ballast.core.balance.Picker;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.pool.WaitQueue;
import io.ballast.http.net.Worker;
import org.jspecify.annotations.Nullable;

/**
 * The backend that an exchange goes to: picks it, and holds a place on it until that is given back. One object serves
 * all exchanges of a client connection, one after the other. Event-loop confined.
 */
public final class BackendChoice implements PickContext {

    private final Worker worker;
    private final Attempts attempts;
    private long affinity;
    private @Nullable Pool pool;
    private @Nullable Backend backend;

    public BackendChoice(Worker worker, Attempts attempts, long affinity) {
        this.worker = worker;
        this.attempts = attempts;
        this.affinity = affinity;
    }

    public void affinity(long key) {
        affinity = key;
    }

    /** An exchange begins that any backend of this pool may serve. */
    public void begin(Pool target) {
        pool = target;
    }

    public Pool pool() {
        return requireNonNull(pool);
    }

    /** Whether a backend is chosen. */
    public boolean isMade() {
        return backend != null;
    }

    public Backend backend() {
        return requireNonNull(backend);
    }

    /** Picks a backend and takes a place on it, for the caller to use or to release; null if none has room. */
    public @Nullable Backend reserve(PoolSnapshot snapshot) {
        Picker picker = snapshot.picker();
        Backend choice = picker.pick(this);
        while (choice != null && !choice.inFlight().tryBegin()) {
            choice = picker.pick(this); // another loop was faster
        }
        return choice;
    }

    /** The same, but not the present one, which is not asked again for this exchange. */
    public @Nullable Backend reserveAnother() {
        attempts.exclude(backend());
        return reserve(pool().snapshot());
    }

    /** Chooses a backend, on which a place was taken. One that was chosen before must be released. */
    public void settle(Backend reserved) {
        backend = reserved;
    }

    /** Gives the place on a backend back, to the next that waits for one. */
    public void release(Backend used) {
        WaitQueue queue = pool().waitQueue();
        if (queue == null) {
            used.inFlight().end();
        } else {
            queue.release(used);
        }
    }

    /** The exchange is over: gives back the place that it has. */
    public void end() {
        if (backend != null) {
            release(backend);
        }
        backend = null;
        pool = null;
    }

    @Override
    public long nextRandom() {
        return worker.random().nextLong();
    }

    @Override
    public long affinity() {
        return affinity;
    }

    @Override
    public long nowNanos() {
        return worker.now();
    }

    @Override
    public boolean isExcluded(Backend candidate) {
        return attempts.isExcluded(candidate);
    }
}
