/** Timers: {@link io.ballast.net.timer.DeadlineWheel} holds the deadlines of one event loop. */
@NullMarked
package io.ballast.net.timer;

import org.jspecify.annotations.NullMarked;
