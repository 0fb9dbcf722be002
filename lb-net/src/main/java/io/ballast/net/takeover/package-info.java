/**
 * Hands sockets from one process to the next, so that clients can always connect.
 *
 * <ul>
 *   <li>{@link io.ballast.net.takeover.SharedSocket}: a socket to hand over, and its name;
 *   <li>{@link io.ballast.net.takeover.InheritedSockets}: the sockets that a process received;
 *   <li>{@link io.ballast.net.takeover.ProcessLink}: the connection between the two processes, which carries the
 *       sockets.
 * </ul>
 */
@NullMarked
package io.ballast.net.takeover;

import org.jspecify.annotations.NullMarked;
