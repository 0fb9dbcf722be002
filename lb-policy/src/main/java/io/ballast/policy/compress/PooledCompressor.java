package io.ballast.policy.compress;

import io.ballast.http.transform.BodyTransform;
import io.ballast.policy.config.ContentCoding;

/** Compresses bodies, one after the other. Event-loop confined. */
abstract class PooledCompressor implements BodyTransform {

    private final CompressorPool pool;
    private final ContentCoding coding;

    /** @param pool gets this object back after each body */
    PooledCompressor(CompressorPool pool, ContentCoding coding) {
        this.pool = pool;
        this.coding = coding;
    }

    /** The coding of the bodies. */
    final ContentCoding coding() {
        return coding;
    }

    @Override
    public final void release() {
        reset();
        pool.release(this);
    }

    /** Prepares this object for the next body. */
    abstract void reset();

    /** Frees the memory; the object cannot be used any more. */
    abstract void free();
}
