package io.ballast.http.policy;

import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import org.jspecify.annotations.Nullable;

/**
 * A policy that may change the responses of backends. It calls {@link PolicyExchange#awaitResponse} for each request
 * whose response it wants to see.
 */
public interface ResponsePolicy extends Policy {

    /**
     * Decides about the response of a backend. Not called for 1xx responses, for the start of a tunnel, and for responses
     * that Ballast makes itself. Header lines that no header rule may change are added to
     * {@link PolicyExchange#responseLines}; all other changes of the head are made in {@code response}.
     *
     * @param step the index of this policy in the request's chain
     * @return changes the body; null to forward it unchanged. The caller releases it
     */
    @Nullable BodyTransform respond(PolicyExchange exchange, int step, ResponseEdit response);
}
