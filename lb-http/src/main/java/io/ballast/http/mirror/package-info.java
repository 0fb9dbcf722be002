/**
 * Mirrors requests to another pool. {@link io.ballast.http.mirror.Mirror} has the limits and the counters; each
 * mirrored request is a {@link io.ballast.http.policy.RequestCopy}, and is sent as a background request.
 */
@NullMarked
package io.ballast.http.mirror;

import org.jspecify.annotations.NullMarked;
