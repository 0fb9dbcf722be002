/** The configuration of authentication by JSON Web Tokens: {@link io.ballast.policy.config.jwt.JwtConfig}. */
@NullMarked
package io.ballast.policy.config.jwt;

import org.jspecify.annotations.NullMarked;
