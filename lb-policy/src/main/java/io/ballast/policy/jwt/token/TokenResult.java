package io.ballast.policy.jwt.token;

/** The result of parsing a token: the {@link ParsedToken}, or the {@link TokenProblem} that it has. */
public sealed interface TokenResult permits ParsedToken, TokenProblem {}
