package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.util.List;

/**
 * Compression of responses.
 *
 * @param types the media types to compress, in lower case: {@code type/subtype}, <code>type/*</code> or
 *     <code>type/*+suffix</code>
 * @param encodings the codings to use, at least one; if a client gives several codings the same weight, the first one
 *     is used
 * @param level the effort of gzip, from 1 (fast) to {@value #MAX_LEVEL} (small)
 * @param brLevel the effort of Brotli, from 1 to {@value #MAX_BR_LEVEL}; higher levels are too slow for an event loop
 * @param zstdLevel the effort of Zstandard, from 1 to {@value #MAX_ZSTD_LEVEL}
 * @param minBytes the length below which a body is not compressed
 * @param maxActive the maximum number of responses that are compressed at the same time, by all event loops together
 */
public record CompressionConfig(
        List<String> types,
        List<ContentCoding> encodings,
        int level,
        int brLevel,
        int zstdLevel,
        int minBytes,
        int maxActive)
        implements PolicyRule {

    /** Text and other uncompressed formats. Images (except SVG), audio, video and archives are already compressed. */
    public static final List<String> DEFAULT_TYPES = List.of(
            "text/*",
            "application/json",
            "application/*+json",
            "application/javascript",
            "application/x-javascript",
            "application/xml",
            "application/*+xml",
            "application/wasm",
            "application/vnd.ms-fontobject",
            "image/svg+xml",
            "font/otf",
            "font/ttf");

    public static final int DEFAULT_LEVEL = 5;
    public static final int MAX_LEVEL = 9;
    public static final int DEFAULT_BR_LEVEL = 4;
    public static final int MAX_BR_LEVEL = 6;
    public static final int DEFAULT_ZSTD_LEVEL = 3;
    public static final int MAX_ZSTD_LEVEL = 9;
    /** A shorter body fits into one packet with its head, so that compression would save no time. */
    public static final int DEFAULT_MIN_BYTES = 1024;

    public static final int MAX_MIN_BYTES = 1024 * 1024 * 1024;
    /**
     * This many responses need up to 64 MiB of memory with gzip, 256 KiB for each. Brotli and Zstandard need up to 1
     * MiB for each response.
     */
    public static final int DEFAULT_MAX_ACTIVE = 256;

    public static final int MAX_MAX_ACTIVE = 65_536;

    public CompressionConfig {
        types = List.copyOf(types);
        encodings = List.copyOf(encodings);
        Checks.that(!types.isEmpty(), "types", types, "at least one type");
        Checks.that(!encodings.isEmpty(), "encodings", encodings, "at least one coding");
        Checks.between(level, 1, MAX_LEVEL, "level");
        Checks.between(brLevel, 1, MAX_BR_LEVEL, "brLevel");
        Checks.between(zstdLevel, 1, MAX_ZSTD_LEVEL, "zstdLevel");
        Checks.between(minBytes, 0, MAX_MIN_BYTES, "minBytes");
        Checks.between(maxActive, 1, MAX_MAX_ACTIVE, "maxActive");
    }

    /** Compresses the default types with gzip. */
    public static CompressionConfig gzip() {
        return of(List.of(ContentCoding.GZIP));
    }

    /** Compresses the default types with these codings. */
    public static CompressionConfig of(List<ContentCoding> encodings) {
        return new CompressionConfig(
                DEFAULT_TYPES,
                encodings,
                DEFAULT_LEVEL,
                DEFAULT_BR_LEVEL,
                DEFAULT_ZSTD_LEVEL,
                DEFAULT_MIN_BYTES,
                DEFAULT_MAX_ACTIVE);
    }

    /** Returns the configured level of a coding. */
    public int level(ContentCoding coding) {
        return switch (coding) {
            case BR -> brLevel;
            case ZSTD -> zstdLevel;
            case GZIP -> level;
        };
    }

    @Override
    public String kind() {
        return "compress";
    }
}
