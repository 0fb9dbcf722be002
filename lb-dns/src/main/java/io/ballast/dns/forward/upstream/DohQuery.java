package io.ballast.dns.forward.upstream;

import io.netty.buffer.ByteBuf;

/**
 * A question that is written to a stream.
 *
 * <p>Thread safety: event-loop confined.
 *
 * @param id identifies its attempt on the connection
 * @param message released by the writer
 */
record DohQuery(Attempt attempt, int id, ByteBuf message) {}
