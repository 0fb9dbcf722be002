/**
 * Authentication by JSON Web Tokens: {@link io.ballast.policy.jwt.JwtPolicy} evaluates requests, and
 * {@link io.ballast.policy.jwt.TokenCache} holds the tokens that it has verified.
 */
@NullMarked
package io.ballast.policy.jwt;

import org.jspecify.annotations.NullMarked;
