package io.ballast.dns.forward.upstream;

import io.netty.buffer.ByteBuf;

/**
 * A question that is written to a stream.
 *
 * <p>Thread safety: event-loop confined.
 *
 * @param id id of the attempt on the connection
 * @param message the query message; released when it has been written
 */
record DohQuery(Attempt attempt, int id, ByteBuf message) {}
