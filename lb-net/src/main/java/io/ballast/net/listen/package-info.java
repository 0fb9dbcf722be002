/**
 * Listening sockets.
 *
 * <ul>
 *   <li>{@link io.ballast.net.listen.AcceptPause}: what one does when it cannot accept;
 *   <li>{@link io.ballast.net.listen.Descriptors}: the file descriptors of the process, and a few in reserve; {@link
 *       io.ballast.net.listen.DescriptorLimit}: how many there are;
 *   <li>{@link io.ballast.net.listen.DeadLoop}: closes the sockets of an event loop that ended.
 * </ul>
 */
@NullMarked
package io.ballast.net.listen;

import org.jspecify.annotations.NullMarked;
