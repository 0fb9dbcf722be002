package io.ballast.core.pool;

import io.ballast.core.Checks;
import io.ballast.core.backend.OrderTerms;
import io.ballast.core.config.BackendConfig;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Adds backends to pools, changes them and removes them, beside what the configuration says. Thread safety: any thread may call.
 */
public interface Membership {

    /** What became of it. */
    enum Kind {
        /** It is so, and requests follow. */
        DONE,
        /** There is no pool of that name. */
        NO_SUCH_POOL,
        /** The pool has no backend of that address. */
        NO_SUCH_BACKEND,
        /** The pool has it already. */
        ALREADY_THERE,
        /** Nothing is changed: nothing usable would be left in the pool, and that was not confirmed. */
        LAST_USABLE,
        /** It cannot be in force. */
        REFUSED
    }

    /** @param text why it is refused; empty otherwise */
    record Outcome(Kind kind, String text) {

        public static Outcome of(Kind kind) {
            return new Outcome(kind, "");
        }
    }

    /**
     * What a backend is to be.
     *
     * @param weight absent to leave it as it is; for one that is new, 1
     * @param backup absent to leave it as it is; for one that is new, false
     */
    record Settings(Optional<Integer> weight, Optional<Boolean> backup) {

        public Settings {
            weight.ifPresent(value -> Checks.between(value, 0, BackendConfig.MAX_WEIGHT, "weight"));
        }
    }

    /**
     * What stands beside the configuration.
     *
     * @param is {@code added}, {@code changed} or {@code removed}
     */
    record Change(String address, String is, int weight, boolean backup, OrderTerms terms) {}

    /**
     * Adds a backend. One that was removed before is back.
     *
     * @throws IllegalArgumentException if the address is none, or a setting is out of range
     */
    CompletableFuture<Outcome> add(String pool, String address, Settings settings, OrderTerms terms);

    /**
     * Changes one, whoever told of it.
     *
     * @param confirmed whether the last usable one may be given no weight
     * @throws IllegalArgumentException if a setting is out of range
     */
    CompletableFuture<Outcome> set(String pool, String address, Settings settings, OrderTerms terms, boolean confirmed);

    /**
     * Removes one, whoever told of it. It finishes what it has.
     *
     * @param confirmed whether the last usable one may be removed
     */
    CompletableFuture<Outcome> remove(String pool, String address, OrderTerms terms, boolean confirmed);

    /**
     * Takes back what was done by these methods.
     *
     * @param address of the one backend that is meant; absent for all of the pool
     * @param confirmed whether nothing usable may be left
     */
    CompletableFuture<Outcome> reset(String pool, Optional<String> address, OrderTerms terms, boolean confirmed);

    /** What stands beside the configuration of a pool now, in the order of the addresses; nothing if there is no such pool. */
    List<Change> changes(String pool);
}
