/**
 * DNS over connections: who may have one, for how long, and the messages on it.
 *
 * <p>{@link io.ballast.dns.net.stream.StreamAcceptor} listens, takes a connection on and gives it the handlers of its
 * protocol; {@link io.ballast.dns.net.stream.StreamConnection}, always the first of these, knows the client and when
 * the connection has to end. All connections of an event loop stand in its {@link
 * io.ballast.dns.net.stream.StreamLoop}, whatever they carry, so that one limit holds for all.
 */
@NullMarked
package io.ballast.dns.net.stream;

import org.jspecify.annotations.NullMarked;
