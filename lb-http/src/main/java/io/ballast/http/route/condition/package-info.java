/**
 * What routes ask of a request beyond host and plain path: {@link io.ballast.http.route.condition.Conditions} compiles
 * it into {@link io.ballast.http.route.condition.Condition}s, one type for each part of a request.
 */
@NullMarked
package io.ballast.http.route.condition;

import org.jspecify.annotations.NullMarked;
