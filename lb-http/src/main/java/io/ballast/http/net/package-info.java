/**
 * The event loops, and what HTTP has on each.
 *
 * <p>Start with {@link io.ballast.http.net.Workers} and {@link io.ballast.http.net.Worker}.
 */
@NullMarked
package io.ballast.http.net;

import org.jspecify.annotations.NullMarked;
