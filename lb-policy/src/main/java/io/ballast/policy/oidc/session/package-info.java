/**
 * Sessions of users in encrypted cookies: {@link io.ballast.policy.oidc.session.SessionCookies} reads and writes them,
 * {@link io.ballast.policy.oidc.session.CookieCipher} protects them.
 */
@NullMarked
package io.ballast.policy.oidc.session;

import org.jspecify.annotations.NullMarked;
