/**
 * Authentication by an external HTTP server. {@link io.ballast.policy.forward.ForwardAuthPolicy} sends a request for each
 * request of a client; {@link io.ballast.policy.forward.AuthClient} bounds these requests.
 */
@NullMarked
package io.ballast.policy.forward;

import org.jspecify.annotations.NullMarked;
