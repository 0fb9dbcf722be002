package io.ballast.core.pool;

/** What somebody is told of for as long as this is not closed. Thread safety: any thread may close it. */
@FunctionalInterface
public interface Registration extends AutoCloseable {

    /** Ends it. Closing it again does nothing. */
    @Override
    void close();
}
