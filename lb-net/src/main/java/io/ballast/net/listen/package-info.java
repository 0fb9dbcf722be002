/**
 * Listening sockets.
 *
 * <ul>
 *   <li>{@link io.ballast.net.listen.ListeningPort}: accepts connections on one address, with one socket for each event
 *       loop; {@link io.ballast.net.listen.BoundSockets}: sockets, also of datagrams, that are closed together;
 *   <li>{@link io.ballast.net.listen.ListeningUnixSocket}: accepts connections on a Unix socket; {@link
 *       io.ballast.net.listen.ListeningSocket} is either;
 *   <li>{@link io.ballast.net.listen.LocalAddresses}: which addresses a host means; {@link
 *       io.ballast.net.listen.PortCheck}: whether a port is free there; {@link io.ballast.net.listen.BindFailure}: why an
 *       address could not be bound;
 *   <li>{@link io.ballast.net.listen.AcceptPause}: what a socket does when it cannot accept;
 *   <li>{@link io.ballast.net.listen.Descriptors}: the file descriptors of the process, and a few in reserve; {@link
 *       io.ballast.net.listen.DescriptorLimit}: how many there are;
 *   <li>{@link io.ballast.net.listen.DeadLoop}: closes the sockets of an event loop that ended.
 * </ul>
 */
@NullMarked
package io.ballast.net.listen;

import org.jspecify.annotations.NullMarked;
