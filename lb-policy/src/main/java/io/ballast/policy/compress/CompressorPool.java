package io.ballast.policy.compress;

import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.config.ContentCoding;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The compressors of one event loop. Limits the number of bodies in compression, and keeps a few unused compressors;
 * the one that was returned last is used next. Event-loop confined.
 */
final class CompressorPool {

    /**
     * The maximum number of unused compressors of each coding. They need up to 2 MiB of memory with gzip, and up to 8
     * MiB with another coding.
     */
    private static final int MAX_IDLE = 8;

    private final Function<ContentCoding, Compressor> factory;
    private final int maxActive;
    private final Map<ContentCoding, ArrayDeque<Compressor>> idle = new EnumMap<>(ContentCoding.class);
    private int active;

    /** @param maxActive the maximum number of bodies in compression */
    CompressorPool(CompressionConfig config, int maxActive) {
        this(config.encodings(), coding -> Compressor.create(coding, config.level(coding)), maxActive);
    }

    CompressorPool(List<ContentCoding> codings, Function<ContentCoding, Compressor> factory, int maxActive) {
        this.factory = factory;
        this.maxActive = maxActive;
        codings.forEach(coding -> idle.put(coding, new ArrayDeque<>()));
    }

    /**
     * Begins the compression of a body with one of the configured codings; returns null if too many bodies are being
     * compressed.
     */
    @Nullable CompressedBody begin(ContentCoding coding) {
        if (active == maxActive) {
            return null;
        }
        active++;
        return new CompressedBody(this, coding);
    }

    /** Ends the compression of a body; called once for each body. */
    void ended() {
        active--;
    }

    /** Takes a compressor, which {@link #put} must return. */
    Compressor take(ContentCoding coding) {
        ArrayDeque<Compressor> unused = idle.get(coding);
        Compressor known = unused == null ? null : unused.poll();
        return known == null ? factory.apply(coding) : known;
    }

    void put(ContentCoding coding, Compressor compressor) {
        compressor.reset();
        ArrayDeque<Compressor> unused = idle.get(coding);
        if (unused != null && unused.size() < MAX_IDLE) {
            unused.push(compressor);
        } else {
            compressor.free();
        }
    }
}
