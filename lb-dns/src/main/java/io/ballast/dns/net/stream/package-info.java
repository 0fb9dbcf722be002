/**
 * DNS over connections: connection limits, deadlines, and the messages on a connection.
 *
 * <p>{@link io.ballast.dns.net.stream.StreamAcceptor} listens, accepts a connection and adds the handlers of
 * its protocol. {@link io.ballast.dns.net.stream.StreamConnection} is always the first of these handlers, and
 * knows the client and the deadlines of the connection. All connections of an event loop are registered in
 * its {@link io.ballast.dns.net.stream.StreamLoop}, whatever their protocol, so that one limit applies to
 * all.
 */
@NullMarked
package io.ballast.dns.net.stream;

import org.jspecify.annotations.NullMarked;
