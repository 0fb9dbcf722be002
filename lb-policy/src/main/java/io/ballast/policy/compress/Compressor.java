package io.ballast.policy.compress;

import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import io.ballast.policy.config.ContentCoding;
import java.nio.ByteBuffer;

/** Compresses bodies, one after the other. Event-loop confined. */
interface Compressor {

    static Compressor create(ContentCoding coding, int level) {
        return switch (coding) {
            case GZIP -> new GzipCompressor(level);
            case BR -> new BrotliCompressor(level);
            case ZSTD -> new ZstdCompressor(level);
        };
    }

    /** See {@link BodyTransform#add}. */
    void add(ByteBuffer piece, BodyOutput output);

    /** See {@link BodyTransform#flush}. */
    void flush(BodyOutput output);

    /** See {@link BodyTransform#end}. */
    void end(BodyOutput output);

    /** Prepares this object for the next body. */
    void reset();

    /** Frees the memory; the object can no longer be used. */
    void free();
}
