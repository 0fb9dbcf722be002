/**
 * The pages of the login: {@link io.ballast.policy.oidc.login.Logins} sends users to the provider and handles their return,
 * {@link io.ballast.policy.oidc.login.Logouts} ends sessions.
 */
@NullMarked
package io.ballast.policy.oidc.login;

import org.jspecify.annotations.NullMarked;
