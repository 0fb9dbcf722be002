package io.ballast.policy.compress;

import io.ballast.http.transform.BodyOutput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses bodies with gzip (RFC 1952), one after the other. Needs about 256 KiB of memory outside of the heap, for the
 * window and the hash table of zlib. Event-loop confined; works on the memory of the buffers without copying.
 */
final class GzipCompressor implements Compressor {

    /** Magic number, method DEFLATE, no flags, no time, no extra flags, unknown operating system. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private static final int TRAILER_BYTES = 8;
    private static final byte[] NO_INPUT = {};

    private final Deflater deflater;
    private final CRC32 checksum = new CRC32();
    private long size;
    private boolean started;

    GzipCompressor(int level) {
        this.deflater = new Deflater(level, /* nowrap= */ true);
    }

    @Override
    public void add(ByteBuffer piece, BodyOutput output) {
        start(output);
        int from = piece.position();
        size += piece.remaining();
        checksum.update(piece);
        piece.position(from);
        deflater.setInput(piece);
        while (!deflater.needsInput()) {
            deflate(output, Deflater.NO_FLUSH);
        }
        deflater.setInput(NO_INPUT); // releases the piece, because its owner may change its position
    }

    @Override
    public void flush(BodyOutput output) {
        start(output);
        boolean more = true;
        while (more) {
            more = deflate(output, Deflater.SYNC_FLUSH);
        }
    }

    @Override
    public void end(BodyOutput output) {
        start(output);
        deflater.finish();
        while (!deflater.finished()) {
            deflate(output, Deflater.NO_FLUSH);
        }
        ByteBuffer trailer = output.room().order(ByteOrder.LITTLE_ENDIAN);
        trailer.putInt((int) checksum.getValue());
        trailer.putInt((int) size);
        trailer.order(ByteOrder.BIG_ENDIAN); // restores the default for the next user
        output.written(TRAILER_BYTES);
    }

    private void start(BodyOutput output) {
        if (!started) {
            started = true;
            output.room().put(HEADER);
            output.written(HEADER.length);
        }
    }

    /** Writes compressed bytes; returns whether it filled the buffer, so that there may be more. */
    private boolean deflate(BodyOutput output, int mode) {
        ByteBuffer room = output.room();
        output.written(deflater.deflate(room, mode));
        return !room.hasRemaining();
    }

    @Override
    public void reset() {
        deflater.reset();
        checksum.reset();
        size = 0;
        started = false;
    }

    @Override
    public void free() {
        deflater.end();
    }
}
