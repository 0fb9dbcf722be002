package io.ballast.policy.work;

/** Finds out whether clients are in certain countries or autonomous systems. Thread safety: any thread may call. */
@FunctionalInterface
public interface LocationLookup {

    /** Contains no address. */
    LocationLookup NONE = address -> false;

    /**
     * Returns whether the address is in one of the places. Allocates nothing.
     *
     * @param address 4 or 16 bytes in network order
     */
    boolean contains(byte[] address);
}
