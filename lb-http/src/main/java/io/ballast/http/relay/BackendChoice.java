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
 * Picks the backend of an exchange, and holds a slot on it until released. One object serves all exchanges of a client
 * connection, in sequence. Event-loop confined.
 */
public final class BackendChoice implements PickContext {

    private final Worker worker;
    private final AttemptHistory attempts;
    private final ClientKeys keys;
    private @Nullable Pool pool;
    private @Nullable Backend backend;

    public BackendChoice(Worker worker, AttemptHistory attempts, ClientKeys keys) {
        this.worker = worker;
        this.attempts = attempts;
        this.keys = keys;
    }

    /** Starts an exchange for this pool. */
    public void begin(Pool target) {
        pool = target;
    }

    /** Whether the exchange has a pool; false if it is answered locally, or does not run. */
    public boolean hasPool() {
        return pool != null;
    }

    public Pool pool() {
        return requireNonNull(pool);
    }

    /** Whether a backend has been chosen. */
    public boolean hasBackend() {
        return backend != null;
    }

    public Backend backend() {
        return requireNonNull(backend);
    }

    /** Picks a backend and takes a slot on it, which the caller must use or release; null if no backend has room. */
    public @Nullable Backend reserve(PoolSnapshot snapshot) {
        Picker picker = snapshot.picker();
        Backend choice = picker.pick(this);
        while (choice != null && !choice.inFlight().tryBegin()) {
            choice = picker.pick(this); // another event loop took the last slot
        }
        return choice;
    }

    /**
     * Like {@link #reserve}, but excludes the current backend for this exchange. If no other backend is left, the
     * pool's settings may allow excluded backends again.
     */
    public @Nullable Backend reserveAnother() {
        attempts.exclude(backend());
        PoolSnapshot snapshot = pool().snapshot();
        Backend another = reserve(snapshot);
        return another == null && attempts.clearExcludedIfAllowed() ? reserve(snapshot) : another;
    }

    /**
     * Sets the chosen backend, whose slot is already taken. The caller must release a previously chosen backend.
     */
    public void setBackend(Backend reserved) {
        backend = reserved;
    }

    /** Releases the slot on a backend, and passes it to the next waiting exchange. */
    public void release(Backend used) {
        WaitQueue queue = pool().waitQueue();
        if (queue == null) {
            used.inFlight().end();
        } else {
            queue.release(used);
        }
    }

    /** Ends the exchange and releases its slot. */
    public void end() {
        if (backend != null) {
            release(backend);
        }
        backend = null;
        pool = null;
        keys.endRequest();
    }

    @Override
    public long nextRandom() {
        return worker.random().nextLong();
    }

    @Override
    public long affinity() {
        return keys.affinity();
    }

    @Override
    public long addressHigh() {
        return keys.addressHigh();
    }

    @Override
    public long addressLow() {
        return keys.addressLow();
    }

    @Override
    public long tokenHigh() {
        return keys.tokenHigh();
    }

    @Override
    public long tokenLow() {
        return keys.tokenLow();
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
