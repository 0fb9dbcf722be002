package io.ballast.http.exchange;

import io.netty.buffer.ByteBuf;

/** One end of a tunnel, as seen by the other end through a {@link Tunnel}. Event-loop confined. */
public interface TunnelSide {

    /** Starts passing received data to {@code tunnel}, including data received before this call. */
    void tunnelBegins(Tunnel tunnel);

    /** Queues bytes for the peer; consumes {@code data}. */
    void tunnelData(ByteBuf data);

    /** Flushes the queued data. */
    void tunnelFlush();

    /** Sends an end of stream to the peer after all queued data. The opposite direction may stay open. */
    void tunnelEnd();

    /** Whether this end accepts more data without excessive queueing. */
    boolean isWritable();

    /** Stops reading from the peer while the other end is slow, or resumes reading. */
    void setReading(boolean on);
}
