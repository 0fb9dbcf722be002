package io.ballast.core.testing;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.PickContext;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * The request for a pick, with seeded or scripted random values; the test sets the other properties. Confined to one
 * thread.
 */
public final class SeededRequest implements PickContext {

    private final SplittableRandom random;
    private final Deque<Long> script = new ArrayDeque<>();
    private Backend[] excluded = {};
    private long affinity;
    private long nowNanos;
    private long tokenHigh;
    private long tokenLow;
    private long addressHigh;
    private long addressLow;

    public SeededRequest(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Makes the next calls of {@link #nextRandom} return these values; seeded values follow. */
    public SeededRequest script(long... values) {
        Arrays.stream(values).forEach(script::add);
        return this;
    }

    public SeededRequest affinity(long value) {
        affinity = value;
        return this;
    }

    /** Sets the token with which clients of a backend return to it. */
    public SeededRequest token(long high, long low) {
        tokenHigh = high;
        tokenLow = low;
        return this;
    }

    /** Sets the client's address. */
    public SeededRequest address(long high, long low) {
        addressHigh = high;
        addressLow = low;
        return this;
    }

    public SeededRequest nowNanos(long value) {
        nowNanos = value;
        return this;
    }

    /** Excludes a backend in addition to the backends excluded before. */
    public SeededRequest exclude(Backend backend) {
        excluded = Arrays.copyOf(excluded, excluded.length + 1);
        excluded[excluded.length - 1] = backend;
        return this;
    }

    /** Removes all exclusions. */
    public SeededRequest excludeNone() {
        excluded = new Backend[0];
        return this;
    }

    @Override
    public long nextRandom() {
        return script.isEmpty() ? random.nextLong() : script.remove();
    }

    @Override
    public long affinity() {
        return affinity;
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
        return nowNanos;
    }

    @Override
    public boolean isExcluded(Backend backend) {
        for (Backend each : excluded) {
            if (each == backend) {
                return true;
            }
        }
        return false;
    }
}
