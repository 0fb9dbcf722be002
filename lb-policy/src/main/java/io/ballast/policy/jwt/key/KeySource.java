package io.ballast.policy.jwt.key;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Holds the current keys. Thread safety: all methods may be called concurrently; they do not block. */
public interface KeySource extends AutoCloseable {

    /** Returns keys that never change. */
    static KeySource fixed(KeySet keys) {
        return () -> keys;
    }

    /** The keys; null while there are none. */
    @Nullable KeySet current();

    /**
     * Called when there are no keys, or no key matches a token.
     *
     * @return a future that completes after a download, even if it fails; empty if no download is in progress and it is
     *     too early for the next one
     */
    default Optional<CompletableFuture<Void>> refresh() {
        return Optional.empty();
    }

    /** Stops downloads. */
    @Override
    default void close() {}
}
