/**
 * The client of an OpenID provider: {@link io.ballast.policy.oidc.provider.Provider} holds its discovery document and
 * keys, {@link io.ballast.policy.oidc.provider.UserTokens} obtains verified claims of a user.
 */
@NullMarked
package io.ballast.policy.oidc.provider;

import org.jspecify.annotations.NullMarked;
