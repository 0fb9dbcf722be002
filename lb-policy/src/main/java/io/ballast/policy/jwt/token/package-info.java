/**
 * The form of JSON Web Tokens: {@link io.ballast.policy.jwt.token.TokenParser} reads a token without trusting it, and
 * {@link io.ballast.policy.jwt.token.TokenRules} checks its header and claims.
 */
@NullMarked
package io.ballast.policy.jwt.token;

import org.jspecify.annotations.NullMarked;
