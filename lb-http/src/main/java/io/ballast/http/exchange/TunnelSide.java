package io.ballast.http.exchange;

import io.netty.buffer.ByteBuf;

/** One end of a tunnel, as the other end uses it through a {@link Tunnel}. Event-loop confined. */
public interface TunnelSide {

    /** From now on what comes in here goes to {@code tunnel}; what came too early goes there first. */
    void tunnelBegins(Tunnel tunnel);

    /** Queues octets for the peer; consumes {@code data}. */
    void tunnelData(ByteBuf data);

    /** Sends what was queued on its way. */
    void tunnelFlush();

    /** Tells the peer, behind all that was queued, that no more will come. The other direction may stay open. */
    void tunnelEnd();

    /** Whether more can be queued without piling up. */
    boolean isWritable();

    /** Stops or resumes reading from the peer, while the other end is slow. */
    void reading(boolean on);
}
