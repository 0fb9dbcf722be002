/**
 * The system's interfaces to sockets: {@link io.ballast.net.transport.NettyTransport} is one of io_uring, epoll and NIO,
 * with Netty's classes for it; {@link io.ballast.net.transport.PeerState} is what the system knows of a connection's
 * peer, {@link io.ballast.net.transport.OutputShutdown} ends one direction of a connection.
 */
@NullMarked
package io.ballast.net.transport;

import org.jspecify.annotations.NullMarked;
