/** The configuration of logins at an OpenID provider: {@link io.ballast.policy.config.oidc.OidcConfig}. */
@NullMarked
package io.ballast.policy.config.oidc;

import org.jspecify.annotations.NullMarked;
