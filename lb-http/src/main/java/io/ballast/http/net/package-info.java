/**
 * The event loops, and the HTTP resources of each.
 *
 * <p>Start with {@link io.ballast.http.net.Workers} and {@link io.ballast.http.net.Worker}.
 */
@NullMarked
package io.ballast.http.net;

import org.jspecify.annotations.NullMarked;
