/**
 * The event loops: which of the system's interfaces they use, and what each owns.
 *
 * <p>Start with {@link io.ballast.http.net.Workers} and {@link io.ballast.http.net.Worker}.
 */
@NullMarked
package io.ballast.http.net;

import org.jspecify.annotations.NullMarked;
