package io.ballast.http.policy;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy in use. One object serves all event loops, all listeners and all routes that name it, and a reload keeps it
 * while its configuration is unchanged.
 *
 * <p>Thread safety: all methods may be called concurrently. They must not block, and should not allocate for a request
 * that passes.
 */
public interface Policy {

    Phase phase();

    /**
     * Evaluates a request.
     *
     * @param step the index of this policy in the request's chain, for {@link PolicyExchange#mark}
     */
    PolicyDecision evaluate(PolicyExchange exchange, int step);

    /** Whether {@link #ended} must be called. */
    default boolean observesEnd() {
        return false;
    }

    /**
     * Called at the end of a request that has passed this policy, even if a later policy has refused it.
     *
     * @param status the status of the response; 0 if there was none
     */
    default void ended(PolicyExchange exchange, int step, int status) {}

    /**
     * Stops background work, such as the download of keys. Called after a reload that no longer uses the policy.
     * Requests that began earlier may still be evaluated.
     */
    default void close() {}

    /**
     * The number of responses by outcome, such as {@code compressed}, since the policy was created; empty if it does
     * not change responses. The metric is {@code ballast_policy_responses_total}.
     */
    default Map<String, Long> responses() {
        return Map.of();
    }

    /**
     * The current values of this policy by name, such as {@code limit}; empty if it has none. Read by other threads, at
     * most a few times a second.
     */
    default Map<String, Long> state() {
        return Map.of();
    }

    /**
     * Returns the keys that use most of the policy's limit: first the keys with most recent refusals, then the keys
     * with the highest {@link KeyUsage#share}. Empty if the policy does not count requests by key.
     *
     * <p>Reads a large table, for some milliseconds, so it must not be called on event loops.
     *
     * @param max the maximum number of keys
     */
    default List<KeyUsage> heaviestKeys(int max) {
        return List.of();
    }

    /**
     * The results of the policy's operations by name, since the policy was created. They do not include its decisions.
     * Examples are {@code login_completed} for logins, and {@code timeout} for calls of a filter. Empty if the policy
     * has no such operations. The metric is {@code ballast_policy_results_total}.
     */
    default Map<String, Long> results() {
        return Map.of();
    }

    /**
     * The name of the pool to which the policy sends requests of its own, see {@link PolicyExchange#targetPool}; null
     * for none. The configuration has checked that the pool exists.
     */
    default @Nullable String targetPool() {
        return null;
    }

    /**
     * The names of the request headers that this policy may set. They are removed from every request of the route in
     * any spelling, so that clients cannot forge them.
     */
    default List<String> requestHeaders() {
        return List.of();
    }

    /**
     * Whether the {@link #requestHeaders} are removed even with {@code dry_run}, because a backend would trust forged
     * headers.
     */
    default boolean removesHeadersInDryRun() {
        return true;
    }

    /**
     * The names of the request headers with credentials that backends must not receive. They are removed from requests,
     * except with {@code dry_run}, because then a backend may still need them.
     */
    default List<String> credentialHeaders() {
        return List.of();
    }

    /**
     * The names of the response headers that this policy may set. They are removed from the responses of backends, so
     * that a response contains each of them once.
     */
    default List<String> responseHeaders() {
        return List.of();
    }

    /**
     * Whether only one policy of this kind applies to a request: the policy of the pool, else the policy of the route,
     * else the policy of the listener. Several policies of this kind would set the same headers, or change the same
     * body.
     */
    default boolean replacesSameKind() {
        return false;
    }
}
