package io.ballast.core.balance;

import io.ballast.core.backend.Backend;

/**
 * The properties of a request that pickers use. Implemented by the objects that represent requests, so that picking
 * allocates nothing.
 */
public interface PickContext {

    /** 64 random bits from the calling event loop's own generator; a new value with every call. */
    long nextRandom();

    /** A well-mixed hash of the affinity key, by default of the client's address. */
    long affinity();

    /**
     * The upper half of the client's address; an IPv4 address is mapped into IPv6. Both halves are 0 if the
     * client has no IP address.
     */
    default long addressHigh() {
        return 0;
    }

    /** The lower half of the client's address. */
    default long addressLow() {
        return 0;
    }

    /**
     * The upper half of the token that the request contains ({@link SessionTokens}). Both halves are 0 if the
     * request contains no token.
     */
    default long tokenHigh() {
        return 0;
    }

    /** The lower half of the session token in the request; see {@link #tokenHigh}. */
    default long tokenLow() {
        return 0;
    }

    /**
     * The current time, on the clock of {@link System#nanoTime()}; it may have been read when the request began.
     */
    long nowNanos();

    /**
     * Returns whether this backend must not be picked for the request, because it already refused the request.
     */
    boolean isExcluded(Backend backend);
}
