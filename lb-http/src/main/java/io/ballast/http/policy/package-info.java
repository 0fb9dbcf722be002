/**
 * Evaluates the policies of a request before its route takes effect: limits, authentication and others. This package
 * defines what a policy is ({@link io.ballast.http.policy.Policy}) and evaluates compiled chains of them ({@link
 * io.ballast.http.policy.PolicyChain}, {@link io.ballast.http.policy.PolicyExchange}). The policies themselves are in
 * the module {@code lb-policy}.
 */
@NullMarked
package io.ballast.http.policy;

import org.jspecify.annotations.NullMarked;
