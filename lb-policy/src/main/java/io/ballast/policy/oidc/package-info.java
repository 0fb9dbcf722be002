/**
 * Login of users at an OpenID provider. {@link io.ballast.policy.oidc.OidcPolicy} evaluates requests,
 * {@link io.ballast.policy.oidc.Refreshes} renews sessions.
 */
@NullMarked
package io.ballast.policy.oidc;

import org.jspecify.annotations.NullMarked;
