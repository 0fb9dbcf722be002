package io.ballast.http.route.destination;

import io.ballast.core.pool.Pool;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.local.ResponseSourceFactory;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.key.RequestKey;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The result of routing a request. */
public sealed interface Route extends Destination {

    /** The header changes of requests and responses. */
    RouteHeaderEdits edits();

    /** The policies that decide whether the route applies to a request; null for none. */
    @Nullable PolicyChain policies();

    /**
     * Returns the route that serves a request after its policies have let it pass: the fallback route if a policy has
     * chosen it, otherwise this route.
     */
    default Route passedBy(PolicyExchange decided) {
        return this;
    }

    @Override
    default Route select(RandomGenerator random) {
        return this;
    }

    /**
     * Forwards to a backend of a pool.
     *
     * @param generation the generation of the topology, used to pick the first backend of a request
     * @param rewrite the path rewrite; null for none
     * @param key the part of the request that selects a backend; null for the client's address or no affinity
     * @param fallback the route to another pool that a policy may choose; null for none
     */
    record ToPool(
            Pool pool,
            int generation,
            @Nullable PathRewriter rewrite,
            RouteHeaderEdits edits,
            @Nullable RequestKey key,
            @Nullable PolicyChain policies,
            @Nullable ToPool fallback)
            implements Route {

        /** Creates a route without a fallback. */
        public ToPool(
                Pool pool,
                int generation,
                @Nullable PathRewriter rewrite,
                RouteHeaderEdits edits,
                @Nullable RequestKey key,
                @Nullable PolicyChain policies) {
            this(pool, generation, rewrite, edits, key, policies, /* fallback= */ null);
        }

        @Override
        public Route passedBy(PolicyExchange decided) {
            return fallback != null && decided.usesFallback() ? fallback : this;
        }
    }

    /** Sends a fixed response. */
    record Fixed(
            FixedResponse response,
            RouteHeaderEdits edits,
            @Nullable PolicyChain policies) implements Route {}

    /**
     * Sends a response that this process creates, such as a static file.
     *
     * @param reason the reason for the access log
     */
    record Local(
            ResponseSourceFactory sources,
            String reason,
            RouteHeaderEdits edits,
            @Nullable PolicyChain policies) implements Route {}

    /** Refuses the request, because its path is ambiguous and the listener does not allow ambiguous paths. */
    record Refused(RouteHeaderEdits edits, @Nullable PolicyChain policies) implements Route {}

    /** Redirects the client to another address. */
    record Redirect(
            Redirection redirection,
            RouteHeaderEdits edits,
            @Nullable PolicyChain policies) implements Route {}

    /** No route matches: 404. */
    record None(RouteHeaderEdits edits, @Nullable PolicyChain policies) implements Route {}
}
