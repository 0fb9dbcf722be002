/**
 * Notices threads that ended or hang.
 *
 * <ul>
 *   <li>{@link io.ballast.core.watchdog.Heartbeat}: what a thread that serves gives as long as it works;
 *   <li>{@link io.ballast.core.watchdog.Watchdog}: the thread that looks at them;
 *   <li>{@link io.ballast.core.watchdog.ThreadFailure}: what it found.
 * </ul>
 */
@NullMarked
package io.ballast.core.watchdog;

import org.jspecify.annotations.NullMarked;
