/**
 * Socket interfaces of the operating system. {@link io.ballast.net.transport.NettyTransport} represents
 * io_uring, epoll or NIO, with Netty's classes for it. {@link io.ballast.net.transport.TcpSocketState} reads
 * the TCP state of a connection. {@link io.ballast.net.transport.OutputShutdown} half-closes connections.
 */
@NullMarked
package io.ballast.net.transport;

import org.jspecify.annotations.NullMarked;
