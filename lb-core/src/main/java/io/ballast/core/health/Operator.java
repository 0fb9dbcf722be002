package io.ballast.core.health;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import java.util.concurrent.CompletableFuture;

/**
 * Applies and removes overrides of backends. If the cluster rejects a change, the future fails with a {@link
 * io.ballast.core.control.RejectedChangeException}, and the override that other nodes made applies to this node too.
 *
 * <p>Thread safety: any thread may call; the control plane does the work.
 */
public interface Operator {

    /** The outcome of an operator's command. */
    enum Outcome {
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
        /** Nothing was changed: this is the last usable backend of its pool, and the request was not confirmed. */
        LAST_USABLE
    }

    /**
     * Overrides the state of a backend. A later override replaces an earlier one.
     *
     * @param address as written in the configuration
     * @param confirmed whether even the last usable backend of a pool may be taken out of service
     * @return completes when the override applies to new requests, after a few seconds at most
     */
    CompletableFuture<Outcome> overrideState(String pool, String address, StateOverride order, boolean confirmed);

    /**
     * Overrides the weight of a backend; the override survives reloads. A later override replaces an earlier one.
     *
     * @param confirmed whether the last usable backend of a pool may get the weight 0
     * @return completes like {@link #overrideState}
     */
    CompletableFuture<Outcome> overrideWeight(String pool, String address, WeightOverride order, boolean confirmed);

    /**
     * Removes a weight override, if there is one, and restores the configured weight.
     *
     * @param who operator and reason: {@link StateOverride#authorAndReason}
     * @return completes like {@link #overrideState}
     */
    CompletableFuture<Outcome> removeWeightOverride(String pool, String address, String who);

    /**
     * Takes a whole pool out of service. Its requests are answered immediately, with its maintenance page if it
     * has one. DNS answers as if all of its backends were down. Health checks continue. A later override replaces
     * an earlier one.
     *
     * @return completes like {@link #overrideState}
     */
    CompletableFuture<Outcome> startMaintenance(String pool, OverrideTerms terms);

    /**
     * Ends the maintenance, if there is one.
     *
     * @param who operator and reason: {@link StateOverride#authorAndReason}
     * @return completes like {@link #overrideState}
     */
    CompletableFuture<Outcome> endMaintenance(String pool, String who);

    /**
     * Removes all overrides of a backend, so that checks determine its state again and the configured weight
     * applies.
     *
     * @param who operator and reason: {@link StateOverride#authorAndReason}
     * @return completes like {@link #overrideState}
     */
    CompletableFuture<Outcome> enable(String pool, String address, String who);
}
