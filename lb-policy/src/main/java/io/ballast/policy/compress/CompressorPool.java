package io.ballast.policy.compress;

import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.config.ContentCoding;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The compressors of one event loop. Limits how many are in use, and keeps a few unused ones. Event-loop confined. */
final class CompressorPool {

    /** At most 2 MiB of memory for each event loop with gzip, 8 MiB with another coding. */
    private static final int MAX_IDLE = 8;

    private final CompressionConfig config;
    private final int maxActive;
    private final Map<ContentCoding, ArrayDeque<PooledCompressor>> idle = new EnumMap<>(ContentCoding.class);
    private int active;

    CompressorPool(CompressionConfig config, int maxActive) {
        this.config = config;
        this.maxActive = maxActive;
        config.encodings().forEach(coding -> idle.put(coding, new ArrayDeque<>()));
    }

    /**
     * Returns a compressor for one of the configured codings; null if too many are in use. Its {@link
     * PooledCompressor#release} gives it back.
     */
    @Nullable PooledCompressor acquire(ContentCoding coding) {
        if (active == maxActive) {
            return null;
        }
        ArrayDeque<PooledCompressor> unused = idle.get(coding);
        PooledCompressor known = unused == null ? null : unused.poll();
        PooledCompressor acquired = known == null ? create(coding) : known;
        active++;
        return acquired;
    }

    private PooledCompressor create(ContentCoding coding) {
        int level = config.level(coding);
        return switch (coding) {
            case GZIP -> new GzipTransform(this, level);
            case BR -> new BrotliTransform(this, level);
            case ZSTD -> new ZstdTransform(this, level);
        };
    }

    void release(PooledCompressor compressor) {
        active--;
        ArrayDeque<PooledCompressor> unused = idle.get(compressor.coding());
        if (unused != null && unused.size() < MAX_IDLE) {
            unused.push(compressor);
        } else {
            compressor.free();
        }
    }
}
