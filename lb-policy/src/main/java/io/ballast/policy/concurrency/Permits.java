package io.ballast.policy.concurrency;

/** Counts requests in flight up to a limit. Thread safety: all methods may be called concurrently; they do not block. */
interface Permits {

    /** Counts a request unless its key is at the limit; returns whether it was counted. */
    boolean tryAcquire(long key);

    /** Undoes one successful {@link #tryAcquire} with the same key. */
    void release(long key);
}
