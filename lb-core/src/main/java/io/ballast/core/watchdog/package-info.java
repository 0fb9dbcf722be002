/**
 * Detects threads that have ended or hang.
 *
 * <ul>
 *   <li>{@link io.ballast.core.watchdog.Heartbeat}: the periodic signal of a serving thread
 *   <li>{@link io.ballast.core.watchdog.Watchdog}: the thread that checks heartbeats
 *   <li>{@link io.ballast.core.watchdog.ThreadFailure}: a detected failure
 * </ul>
 */
@NullMarked
package io.ballast.core.watchdog;

import org.jspecify.annotations.NullMarked;
