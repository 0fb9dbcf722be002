package io.ballast.core.balance;

import io.ballast.core.backend.Backend;

/**
 * The properties of a request that pickers use. Implemented by the objects that represent requests, so that picking allocates
 * nothing.
 */
public interface PickContext {

    /** 64 random bits from the calling event loop's own generator; a new value with every call. */
    long nextRandom();

    /** A well-mixed hash of the affinity key, by default of the client's address. */
    long affinity();

    /**
     * The upper half of the client's address; an IPv4 address is mapped into IPv6. Both halves are 0 if it has none.
     */
    default long addressHigh() {
        return 0;
    }

    /** The lower half of the client's address. */
    default long addressLow() {
        return 0;
    }

    /**
     * The upper half of the token that the request contains ({@link SessionTokens}). Both halves are 0 if it has
     * none.
     */
    default long tokenHigh() {
        return 0;
    }

    /** The lower half of the token. */
    default long tokenLow() {
        return 0;
    }

    /** The time now, on the clock of {@link System#nanoTime()}; may be as old as the request. */
    long nowNanos();

    /** Whether this request was already refused by the backend. */
    boolean isExcluded(Backend backend);
}
