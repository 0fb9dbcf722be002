package io.ballast.policy.compress;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;

/**
 * Compresses bodies with Zstandard (RFC 8878), one after the other. Needs up to 1 MiB of memory outside of the heap, for
 * the window and the tables of the library. Event-loop confined; works on the memory of direct buffers without copying.
 */
final class ZstdCompressor implements Compressor {

    /** A window of 128 KiB, four times that of gzip. Clients must support 8 MiB (RFC 9659). */
    private static final int WINDOW_LOG = 17;
    /** With this value, each table of the library has 256 KiB. */
    private static final int TABLE_LOG = 16;

    private static final ByteBuffer NO_INPUT = ByteBuffer.allocateDirect(0);
    /** Frees the memory of unused compressors after the policy was replaced. */
    private static final Cleaner CLEANER = Cleaner.create();

    private final int level;
    private final ZstdCompressCtx context;
    private final Cleaner.Cleanable cleanable;
    private final ByteBuffer copy = ByteBuffer.allocateDirect(BodyTransform.MAX_PIECE_BYTES);

    ZstdCompressor(int level) {
        this.level = level;
        ZstdCompressCtx created = new ZstdCompressCtx();
        this.context = created;
        this.cleanable = CLEANER.register(this, created::close);
        configure();
    }

    private void configure() {
        context.setLevel(level)
                .setWindowLog(WINDOW_LOG)
                .setHashLog(TABLE_LOG)
                .setChainLog(TABLE_LOG)
                .setChecksum(false);
    }

    @Override
    public void add(ByteBuffer piece, BodyOutput output) {
        ByteBuffer source = piece;
        if (!piece.isDirect()) {
            source = copy.clear().put(piece).flip();
        }
        while (source.hasRemaining()) {
            compress(source, EndDirective.CONTINUE, output);
        }
    }

    @Override
    public void flush(BodyOutput output) {
        while (!compress(NO_INPUT, EndDirective.FLUSH, output)) {
            // repeated because the output was full
        }
    }

    @Override
    public void end(BodyOutput output) {
        while (!compress(NO_INPUT, EndDirective.END, output)) {
            // repeated because the output was full
        }
    }

    /** Compresses as much as the output has room for; returns whether the operation is complete. */
    private boolean compress(ByteBuffer source, EndDirective operation, BodyOutput output) {
        ByteBuffer room = output.room();
        int from = room.position();
        boolean isComplete = context.compressDirectByteBufferStream(room, source, operation);
        output.written(room.position() - from);
        return isComplete;
    }

    @Override
    public void reset() {
        context.reset();
        configure();
    }

    @Override
    public void free() {
        cleanable.clean();
    }
}
