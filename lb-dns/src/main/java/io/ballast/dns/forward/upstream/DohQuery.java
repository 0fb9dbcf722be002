package io.ballast.dns.forward.upstream;

import io.netty.buffer.ByteBuf;

/**
 * A question on its way into a stream.
 *
 * <p>Thread safety: event-loop confined.
 *
 * @param id by which its attempt is known on the connection
 * @param message released by who writes it
 */
record DohQuery(Attempt attempt, int id, ByteBuf message) {}
