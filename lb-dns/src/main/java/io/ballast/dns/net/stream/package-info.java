/**
 * DNS over connections: who may have one, for how long, and the messages on it.
 *
 * <p>{@link io.ballast.dns.net.stream.StreamAcceptor} listens, takes a connection on and gives it the handlers of its
 * protocol; {@link io.ballast.dns.net.stream.StreamConnection}, always the first of these, knows the client and when
 * the connection has to end. All connections of an event loop are registered in its {@link
 * io.ballast.dns.net.stream.StreamLoop}, with any protocol, so that one limit applies to all.
 */
@NullMarked
package io.ballast.dns.net.stream;

import org.jspecify.annotations.NullMarked;
