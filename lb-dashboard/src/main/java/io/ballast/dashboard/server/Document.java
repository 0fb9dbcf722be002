package io.ballast.dashboard.server;

import io.netty.buffer.ByteBuf;

/**
 * A body of any length that is made piece by piece, as its reader takes it, so that it never lies in memory as a whole.
 * What it tells about is read while it is written: its first lines are older than its last ones.
 *
 * <p>Confined to the server's event loop, which does other work between two pieces.
 */
public interface Document extends AutoCloseable {

    /** About how many octets a piece has: a millisecond's work, or little more. */
    int PIECE_BYTES = 32 * 1024;

    /**
     * Appends the next piece.
     *
     * @param out borrowed; grows if a piece is longer than usual
     * @return whether there is more
     */
    boolean writePiece(ByteBuf out);

    /** Lets go of what it holds, whether it was written to its end or not. */
    @Override
    default void close() {}
}
