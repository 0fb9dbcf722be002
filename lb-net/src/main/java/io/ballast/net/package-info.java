/**
 * What every frontend needs of Netty, once.
 *
 * <ul>
 *   <li>{@link io.ballast.net.LoopHeartbeat}: the sign of life of an event loop;
 *   <li>{@link io.ballast.net.DeadLoop}: what is left to do for the sockets of a loop that ended.
 *   <li>{@link io.ballast.net.AcceptPause}: what a listening socket does when it cannot accept;
 *   <li>{@link io.ballast.net.Descriptors}: the file descriptors of the process, and a few in reserve; {@link
 *       io.ballast.net.DescriptorLimit}: how many there are.
 * </ul>
 */
@NullMarked
package io.ballast.net;

import org.jspecify.annotations.NullMarked;
