package io.ballast.http.policy;

import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A policy that may change the responses of backends. It calls {@link PolicyExchange#awaitResponse} for each request
 * whose response it evaluates.
 *
 * <p>Several policies are called for a response in this order: first the policies of phase {@link Phase#FILTER}, then
 * {@link Phase#CACHE}, then all other policies in the order in which they were evaluated. Each policy receives the head
 * that the previous policy has changed, and its transform receives the body that the previous transform has written.
 */
public interface ResponsePolicy extends Policy {

    /**
     * Starts to evaluate a response. The response waits until the result completes; then {@link #respond} is called. If
     * the result fails, the client gets an error instead of the response. The result is cancelled if the request ends
     * earlier.
     *
     * @param step the index of this policy in the request's chain
     * @param response the head; must not be changed yet
     * @return null if {@link #respond} can be called immediately
     */
    default @Nullable CompletableFuture<?> prepare(PolicyExchange exchange, int step, ResponseEdit response) {
        return null;
    }

    /**
     * Evaluates the response of a backend, of a {@link LocalResponse} or of a route with a local source. Not called
     * for 1xx responses, for the start of a tunnel, and for other responses that Ballast makes itself. Header lines
     * that no header rule may change are added to {@link PolicyExchange#responseLines}; all other changes of the head
     * are made in {@code response}.
     *
     * @param step the index of this policy in the request's chain
     * @return the transform that changes the body; null to forward it unchanged. The caller releases it
     */
    @Nullable BodyTransform respond(PolicyExchange exchange, int step, ResponseEdit response);
}
