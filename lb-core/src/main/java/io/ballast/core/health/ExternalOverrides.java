package io.ballast.core.health;

import io.ballast.core.backend.ExternalOverride;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The overrides that external sources, such as monitoring scripts, have set. Each override belongs to one source and
 * one backend, and expires. If the cluster rejects a change, the future fails with a {@link
 * io.ballast.core.control.RejectedChangeException}, and the override that other nodes made applies to this node too.
 *
 * <p>Thread safety: any thread may call; the control plane does the work.
 */
public interface ExternalOverrides {

    /** The largest number of overrides in this process. */
    int MAX_OVERRIDES = 10_000;

    /** The largest number of sources that override the same backend. */
    int MAX_SOURCES = 16;

    /** The outcome of a request. */
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
        /** The source has no override for this backend. */
        NO_SUCH_OVERRIDE,
        /** Nothing was changed: this is the last usable backend of its pool, and the request was not confirmed. */
        LAST_USABLE,
        /** Nothing was changed: there are {@value #MAX_SOURCES} sources for this backend already. */
        TOO_MANY_SOURCES,
        /** Nothing was changed: there are {@value #MAX_OVERRIDES} overrides in this process already. */
        TOO_MANY
    }

    /**
     * Sets an override, which replaces an earlier one of the same source for the same backend.
     *
     * @param confirmed whether even the last usable backend of a pool may be taken out of service
     * @return completes when the override applies to new requests, after a few seconds at most
     */
    CompletableFuture<Outcome> set(ExternalOverride override, boolean confirmed);

    /**
     * Removes an override.
     *
     * @param who the author of the request, for the timeline
     * @return completes like {@link #set}
     */
    CompletableFuture<Outcome> remove(ExternalOverride.Key key, String who);

    /** Returns the active overrides in the order of creation. */
    List<ExternalOverride> all();

    /** Returns the counters since the start of the process. */
    Counts counts();

    /**
     * Number of requests and events since the start of the process.
     *
     * @param set overrides that were set, changed or renewed
     * @param removed overrides that were removed by a request
     * @param expired overrides that have expired
     * @param refused requests to set an override that this node did not apply
     */
    record Counts(long set, long removed, long expired, long refused) {
        public static final Counts NONE = new Counts(0, 0, 0, 0);
    }
}
