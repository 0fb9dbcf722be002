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
 * The backend that an exchange goes to: picks it, and holds a place on it until that is given back. One object serves
 * all exchanges of a client connection, one after the other. Event-loop confined.
 */
public final class BackendChoice implements PickContext {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The lower half of an IPv4 address that is mapped into IPv6, but for the address. */
    private static final long MAPPED = 0xFFFF_0000_0000L;

    private final Worker worker;
    private final Attempts attempts;
    private long affinity;
    /** What ties the present request to a backend; 0 if that is its client. */
    private long key;
    /** What it shows to get to the same backend again; 0 if it shows nothing. */
    private long tokenHigh;

    private long tokenLow;

    private long addressHigh;
    private long addressLow;

    private @Nullable Pool pool;
    private @Nullable Backend backend;

    public BackendChoice(Worker worker, Attempts attempts, long affinity) {
        this.worker = worker;
        this.attempts = attempts;
        this.affinity = affinity;
    }

    /** The exchanges from now on are of this client. */
    public void affinity(long hash) {
        affinity = hash;
    }

    /**
     * What ties the next exchange, and no other, to a backend instead of its client.
     *
     * @param hash well mixed; 0 for the client after all
     */
    public void key(long hash) {
        key = hash;
    }

    /** The two halves of the token that the next exchange, and no other, shows. */
    public void token(long high, long low) {
        tokenHigh = high;
        tokenLow = low;
    }

    /**
     * The exchanges from now on are of a client with this address: 4 or 16 octets in network order, none if it is not known.
     */
    public void address(byte[] octets) {
        switch (octets.length) {
            case 4 -> {
                addressHigh = 0;
                addressLow = MAPPED | Integer.toUnsignedLong((int) INT.get(octets, 0));
            }
            case 16 -> {
                addressHigh = (long) LONG.get(octets, 0);
                addressLow = (long) LONG.get(octets, Long.BYTES);
            }
            default -> {
                addressHigh = 0;
                addressLow = 0;
            }
        }
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

    /**
     * The same, but not the present one, which is not asked again for this exchange unless the pool's settings allow it when no
     * other is left.
     */
    public @Nullable Backend reserveAnother() {
        attempts.exclude(backend());
        PoolSnapshot snapshot = pool().snapshot();
        Backend another = reserve(snapshot);
        return another == null && attempts.mayStartOver() ? reserve(snapshot) : another;
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
