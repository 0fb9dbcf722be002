/**
 * Sockets that one process hands to the next, so that no client finds them closed.
 *
 * <ul>
 *   <li>{@link io.ballast.net.takeover.SharedSocket}: one that a process has, as it names it to the other;
 *   <li>{@link io.ballast.net.takeover.InheritedSockets}: those that a process was given;
 *   <li>{@link io.ballast.net.takeover.ProcessLink}: what the two talk by, and what carries the sockets.
 * </ul>
 */
@NullMarked
package io.ballast.net.takeover;

import org.jspecify.annotations.NullMarked;
