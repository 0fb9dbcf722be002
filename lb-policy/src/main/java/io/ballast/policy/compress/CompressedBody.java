package io.ballast.policy.compress;

import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import io.ballast.policy.config.ContentCoding;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The compression of one body. Takes a compressor from the pool for the first bytes, and returns it after the last
 * ones. Bodies that arrive in one piece therefore share a compressor, and its state of about 256 KiB stays in the
 * processor's caches, even if many responses wait for their bodies. Event-loop confined.
 */
final class CompressedBody implements BodyTransform {

    private final CompressorPool pool;
    private final ContentCoding coding;
    private @Nullable Compressor compressor;

    CompressedBody(CompressorPool pool, ContentCoding coding) {
        this.pool = pool;
        this.coding = coding;
    }

    @Override
    public void add(ByteBuffer piece, BodyOutput output) {
        compressor().add(piece, output);
    }

    @Override
    public void flush(BodyOutput output) {
        compressor().flush(output);
    }

    @Override
    public void end(BodyOutput output) {
        compressor().end(output);
        returnCompressor();
    }

    private Compressor compressor() {
        Compressor known = compressor;
        if (known == null) {
            known = pool.take(coding);
            compressor = known;
        }
        return known;
    }

    private void returnCompressor() {
        Compressor used = compressor;
        if (used != null) {
            compressor = null;
            pool.put(coding, used);
        }
    }

    @Override
    public void release() {
        returnCompressor();
        pool.ended();
    }
}
