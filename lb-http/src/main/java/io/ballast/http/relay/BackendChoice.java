package io.ballast.http.relay;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.PickContext;
import io.ballast.core.balance.Picker;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolSnapshot;
import io.ballast.core.pool.WaitQueue;
import io.ballast.http.net.Worker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Picks the backend of an exchange, and holds a slot on it until released. One object serves all exchanges of a client
 * connection, in sequence. Event-loop confined.
 */
public final class BackendChoice implements PickContext {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The prefix of an IPv4-mapped IPv6 address, as it appears in the lower half of the address. */
    private static final long MAPPED = 0xFFFF_0000_0000L;

    private final Worker worker;
    private final AttemptHistory attempts;
    private long affinity;
    /** The hash key of the current request; 0 to use the client's key. */
    private long key;
    /** The affinity token sent by the client, as two halves; both 0 for none. */
    private long tokenHigh;

    private long tokenLow;

    private long addressHigh;
    private long addressLow;

    private @Nullable Pool pool;
    private @Nullable Backend backend;

    public BackendChoice(Worker worker, AttemptHistory attempts, long affinity) {
        this.worker = worker;
        this.attempts = attempts;
        this.affinity = affinity;
    }

    /** Sets the client's hash key for the next and later exchanges. */
    public void affinity(long hash) {
        affinity = hash;
    }

    /**
     * Sets a hash key for the next exchange only, which replaces the client's key.
     *
     * @param hash a well mixed hash; 0 for the client's key
     */
    public void key(long hash) {
        key = hash;
    }

    /** Sets the two halves of the affinity token of the next exchange only. */
    public void token(long high, long low) {
        tokenHigh = high;
        tokenLow = low;
    }

    /**
     * Sets the client's address for the next and later exchanges: 4 or 16 bytes in network order; empty if unknown.
     */
    public void address(byte[] bytes) {
        switch (bytes.length) {
            case 4 -> {
                addressHigh = 0;
                addressLow = MAPPED | Integer.toUnsignedLong((int) INT.get(bytes, 0));
            }
            case 16 -> {
                addressHigh = (long) LONG.get(bytes, 0);
                addressLow = (long) LONG.get(bytes, Long.BYTES);
            }
            default -> {
                addressHigh = 0;
                addressLow = 0;
            }
        }
    }

    /** Starts an exchange for this pool. */
    public void begin(Pool target) {
        pool = target;
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
            choice = picker.pick(this); // another loop took the last slot
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
        key = 0;
        tokenHigh = 0;
        tokenLow = 0;
    }

    @Override
    public long nextRandom() {
        return worker.random().nextLong();
    }

    @Override
    public long affinity() {
        return key == 0 ? affinity : key;
    }

    @Override
    public long addressHigh() {
        return addressHigh;
    }

    @Override
    public long addressLow() {
        return addressLow;
    }

    @Override
    public long tokenHigh() {
        return tokenHigh;
    }

    @Override
    public long tokenLow() {
        return tokenLow;
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
