/**
 * Listening sockets.
 *
 * <ul>
 *   <li>{@link io.ballast.net.listen.ListeningPort}: accepts connections on one address, with one socket for each
 *       event loop; {@link io.ballast.net.listen.BoundSockets}: sockets, also for datagrams, that are closed together;
 *   <li>{@link io.ballast.net.listen.ListeningUnixSocket}: accepts connections on a Unix socket;
 *       {@link io.ballast.net.listen.ListeningSocket} is the common interface;
 *   <li>{@link io.ballast.net.listen.LocalAddresses}: resolves a host to local addresses;
 *       {@link io.ballast.net.listen.PortCheck}: checks that a port is free there;
 *       {@link io.ballast.net.listen.BindFailure}: explains why an address could not be bound;
 *   <li>{@link io.ballast.net.listen.AcceptBackoff}: pauses a socket that cannot accept;
 *   <li>{@link io.ballast.net.listen.FileDescriptorReserve}: keeps a reserve of file descriptors;
 *       {@link io.ballast.net.listen.OpenFileLimit}: reads their limit;
 *   <li>{@link io.ballast.net.listen.FailedLoopChannels}: closes the sockets of an event loop that ended.
 * </ul>
 */
@NullMarked
package io.ballast.net.listen;

import org.jspecify.annotations.NullMarked;
