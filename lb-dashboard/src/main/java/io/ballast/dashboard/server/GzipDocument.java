package io.ballast.dashboard.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses another document with gzip (<a href="https://datatracker.ietf.org/doc/html/rfc1952">RFC 1952</a>). Holds
 * one piece of the other document and the compressor's window, about 300 KiB.
 */
final class GzipDocument implements Document {

    /**
     * Maximum number of pieces compressed per turn of the event loop. It is greater than one, because repetitive
     * text compresses to almost nothing.
     */
    private static final int MAX_PIECES = 4;

    /** The gzip header: magic number, deflate, no flags, no time, no extra flags, unknown operating system. */
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final Document plain;
    private final ByteBuf piece;
    /** The fastest level already compresses metrics to 5 %. */
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, /* nowrap= */ true);

    private final CRC32 checksum = new CRC32();
    private final byte[] compressed = new byte[8 * 1024];
    private boolean started;

    /** Takes ownership of {@code plain}. */
    GzipDocument(Document plain, ByteBufAllocator allocator) {
        this.plain = plain;
        this.piece = allocator.heapBuffer(2 * PIECE_BYTES);
    }

    @Override
    public boolean writePiece(ByteBuf out) {
        if (!started) {
            started = true;
            out.writeBytes(GZIP_HEADER);
        }
        boolean more = true;
        for (int pieces = 0; more && pieces < MAX_PIECES && out.readableBytes() < PIECE_BYTES; pieces++) {
            more = plain.writePiece(piece.clear());
            compress(out);
        }
        if (!more) {
            finish(out);
        }
        return more;
    }

    private void compress(ByteBuf out) {
        int from = piece.arrayOffset() + piece.readerIndex();
        checksum.update(piece.array(), from, piece.readableBytes());
        deflater.setInput(piece.array(), from, piece.readableBytes());
        while (!deflater.needsInput()) {
            out.writeBytes(compressed, 0, deflater.deflate(compressed));
        }
    }

    private void finish(ByteBuf out) {
        deflater.finish();
        while (!deflater.finished()) {
            out.writeBytes(compressed, 0, deflater.deflate(compressed));
        }
        out.writeIntLE((int) checksum.getValue()).writeIntLE((int) deflater.getBytesRead());
    }

    @Override
    public void close() {
        deflater.end();
        piece.release();
        plain.close();
    }
}
