package io.ballast.core.pool;

import io.ballast.core.Checks;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.config.BackendConfig;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Adds, changes and removes backends of pools; these edits apply on top of the configuration. If the cluster rejects a
 * change, the future fails with a {@link io.ballast.core.control.RejectedChangeException}, and the edit that other
 * nodes made applies to this node too. Thread safety: any thread may call it.
 */
public interface Membership {

    /** The outcome of a change to the backends of a pool. */
    enum Kind {
        /** The change is complete and applies to new requests. */
        DONE,
        /**
         * The change applies to new requests of this node. The cluster has not committed it yet, because no majority is
         * connected.
         */
        PENDING,
        /** There is no pool with this name. */
        NO_SUCH_POOL,
        /** The pool has no backend with this address. */
        NO_SUCH_BACKEND,
        /** The pool already contains the backend. */
        ALREADY_THERE,
        /** Nothing was changed: the pool would have no usable backend left, and the request was not confirmed. */
        LAST_USABLE,
        /** The change is not possible. */
        REFUSED
    }

    /** @param text why the change was refused; empty for other outcomes */
    record Outcome(Kind kind, String text) {

        public static Outcome of(Kind kind) {
            return new Outcome(kind, "");
        }
    }

    /**
     * The settings of a backend.
     *
     * @param weight the weight; if absent, it stays unchanged, or is 1 for a new backend
     * @param backup whether it is a backup; if absent, this stays unchanged, or is false for a new backend
     */
    record Settings(Optional<Integer> weight, Optional<Boolean> backup) {

        public Settings {
            weight.ifPresent(value -> Checks.between(value, 0, BackendConfig.MAX_WEIGHT, "weight"));
        }
    }

    /**
     * An edit of the configured backends.
     *
     * @param editKind {@code added}, {@code changed} or {@code removed}
     */
    record Change(String address, String editKind, int weight, boolean backup, OverrideTerms terms) {}

    /**
     * Adds a backend, or restores a removed one.
     *
     * @throws IllegalArgumentException if the address is invalid, or a setting is out of range
     */
    CompletableFuture<Outcome> add(String pool, String address, Settings settings, OverrideTerms terms);

    /**
     * Changes a backend from the file or from a discovery source.
     *
     * @param confirmed whether the last usable backend may get the weight 0
     * @throws IllegalArgumentException if a setting is out of range
     */
    CompletableFuture<Outcome> set(
            String pool, String address, Settings settings, OverrideTerms terms, boolean confirmed);

    /**
     * Removes a backend from the file or from a discovery source. Its requests in flight continue.
     *
     * @param confirmed whether the last usable backend may be removed
     */
    CompletableFuture<Outcome> remove(String pool, String address, OverrideTerms terms, boolean confirmed);

    /**
     * Reverts edits.
     *
     * @param address the address of one backend; if absent, the edits of all backends of the pool are reverted
     * @param confirmed whether the pool may be left without usable backends
     */
    CompletableFuture<Outcome> reset(String pool, Optional<String> address, OverrideTerms terms, boolean confirmed);

    /** Returns the edits of a pool in the order of the addresses; empty for an unknown pool. */
    List<Change> changes(String pool);
}
