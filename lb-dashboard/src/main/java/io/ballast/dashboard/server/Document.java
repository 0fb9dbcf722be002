package io.ballast.dashboard.server;

import io.netty.buffer.ByteBuf;

/**
 * A response body of any length that is produced in pieces as the client reads, so that it is never held in memory as a
 * whole. Values are read when their piece is written, so later pieces contain newer values.
 *
 * <p>Confined to the server's event loop, which does other work between two pieces.
 */
public interface Document extends AutoCloseable {

    /** The approximate size of a piece in bytes. Writing one piece takes about a millisecond. */
    int PIECE_BYTES = 32 * 1024;

    /**
     * Appends the next piece.
     *
     * @param out owned by the caller; grows if a piece is longer than usual
     * @return whether there is more
     */
    boolean writePiece(ByteBuf out);

    /** Releases all resources, whether or not the document was written completely. */
    @Override
    default void close() {}
}
