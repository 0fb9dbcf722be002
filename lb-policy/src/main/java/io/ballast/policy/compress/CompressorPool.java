package io.ballast.policy.compress;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The compressors of one event loop. Limits how many are in use, and keeps a few unused ones. Event-loop confined. */
final class CompressorPool {

    /** 2 MiB of memory for each event loop. */
    private static final int MAX_IDLE = 8;

    private final int level;
    private final int maxActive;
    private final ArrayDeque<GzipTransform> idle = new ArrayDeque<>();
    private int active;

    CompressorPool(int level, int maxActive) {
        this.level = level;
        this.maxActive = maxActive;
    }

    /** Returns a compressor; null if too many are in use. Its {@link GzipTransform#release} gives it back. */
    @Nullable GzipTransform acquire() {
        if (active == maxActive) {
            return null;
        }
        active++;
        GzipTransform known = idle.poll();
        return known == null ? new GzipTransform(this, level) : known;
    }

    void release(GzipTransform compressor) {
        active--;
        if (idle.size() < MAX_IDLE) {
            idle.push(compressor);
        } else {
            compressor.free();
        }
    }
}
