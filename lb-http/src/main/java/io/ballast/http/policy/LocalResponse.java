package io.ballast.http.policy;

import io.ballast.http.local.ResponseSource;

/**
 * The policy answers the request with a response of any length, which is sent with flow control like a response from a
 * backend. The later policies of phase {@link Phase#RESPONSE} are still evaluated, but their decisions have no effect;
 * policies that have asked for the response may change it. Later policies of other phases do not see the request.
 *
 * <p>The source is always either started or cancelled, even if the decision has no effect because of {@code dry_run} or
 * because the client has disconnected.
 *
 * @param reason the reason for the access log, such as {@code cache_hit}
 */
public record LocalResponse(ResponseSource source, String reason) implements PolicyDecision {}
