/**
 * Conditions of routes other than the host and the literal path.
 * {@link io.ballast.http.route.condition.ConditionCompiler} compiles them into
 * {@link io.ballast.http.route.condition.Condition}s, one type for each part of a request.
 */
@NullMarked
package io.ballast.http.route.condition;

import org.jspecify.annotations.NullMarked;
