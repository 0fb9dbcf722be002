package io.ballast.core.pool;

/** A registration of a listener; closing it removes the listener. Thread safety: any thread may close it. */
@FunctionalInterface
public interface Registration extends AutoCloseable {

    /** Ends the registration. Idempotent. */
    @Override
    void close();
}
