package io.ballast.http.background;

import io.ballast.core.Checks;
import io.ballast.core.pool.Pool;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * A background request, which this process sends for itself and not for a client.
 *
 * @param pool the pool that serves the request
 * @param generation the generation of the topology that selected the pool; {@link Integer#MAX_VALUE} for the active
 *     generation
 * @param head the complete head in HTTP/1.1 format, with its empty line; at most {@value #MAX_HEAD_BYTES} bytes. It
 *     must have {@code Host}, and {@code Content-Length} if there is a body, but no chunked coding. It is sent as it
 *     is, and must not be modified before the request ends.
 * @param body the whole body; empty for none
 * @param hashKey the key that hashing strategies use to select a backend; 0 for a random one
 * @param timeout the time until the response must be complete, including retries
 * @param maxResponseBodyBytes the maximum length of the response body, without chunked coding
 */
@SuppressWarnings("ArrayRecordComponent") // requests are not compared, and the head is not copied
public record BackgroundRequest(
        Pool pool,
        int generation,
        byte[] head,
        ByteBuf body,
        long hashKey,
        Duration timeout,
        long maxResponseBodyBytes) {

    public static final int MAX_HEAD_BYTES = 256 * 1024;

    public BackgroundRequest {
        Checks.positive(timeout, "timeout");
        Checks.that(maxResponseBodyBytes >= 0, "maxResponseBodyBytes", maxResponseBodyBytes, ">= 0");
    }
}
