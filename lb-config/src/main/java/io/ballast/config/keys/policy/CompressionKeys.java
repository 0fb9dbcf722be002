package io.ballast.config.keys.policy;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.config.ContentCoding;
import java.util.List;

/** The keys of {@code policies.NAME.compress}. */
final class CompressionKeys {

    private static final String NAME = "[a-z0-9][a-z0-9!#$&^_.+-]*";

    private static final ShapeBuilder<CompressionConfig> KEYS = Shape.named(
            "compress",
            "Compresses the responses of backends, for clients that accept it. Responses that are already encoded,"
                    + " partial, or marked with Cache-Control: no-transform are unchanged.");

    private static final Key<List<String>> TYPES = KEYS.optional(
            "types",
            ListType.atLeastOne(Scalars.matching(
                    "media type",
                    "a media type in lower case such as text/html, text/* or application/*+json",
                    NAME + "/(" + NAME + "|\\*|\\*\\+[a-z0-9.-]+)")),
            CompressionConfig.DEFAULT_TYPES,
            "media types to compress",
            CompressionConfig::types);
    private static final Key<List<ContentCoding>> ENCODINGS = KEYS.optional(
            "encodings",
            ListType.atLeastOne(EnumWords.of(ContentCoding.class)).unique("coding", ContentCoding::token),
            List.of(ContentCoding.GZIP),
            "content codings to use: br (Brotli), zstd (Zstandard) and gzip; if a client accepts several equally, the"
                    + " first one is used. br and zstd need a native library, which the jar has for Linux on x86_64 and"
                    + " aarch64",
            CompressionConfig::encodings);
    private static final Key<Integer> LEVEL = KEYS.optional(
            "level",
            Scalars.integer(1, CompressionConfig.MAX_LEVEL),
            CompressionConfig.DEFAULT_LEVEL,
            "effort of gzip, from 1 (fast) to 9 (small)",
            CompressionConfig::level);
    private static final Key<Integer> BR_LEVEL = KEYS.optional(
            "br_level",
            Scalars.integer(1, CompressionConfig.MAX_BR_LEVEL),
            CompressionConfig.DEFAULT_BR_LEVEL,
            "effort of br, from 1 (fast) to 6 (small)",
            CompressionConfig::brLevel);
    private static final Key<Integer> ZSTD_LEVEL = KEYS.optional(
            "zstd_level",
            Scalars.integer(1, CompressionConfig.MAX_ZSTD_LEVEL),
            CompressionConfig.DEFAULT_ZSTD_LEVEL,
            "effort of zstd, from 1 (fast) to 9 (small)",
            CompressionConfig::zstdLevel);
    private static final Key<Integer> MIN_SIZE = KEYS.optional(
            "min_size",
            Sizes.between(0, CompressionConfig.MAX_MIN_BYTES),
            CompressionConfig.DEFAULT_MIN_BYTES,
            "minimum length of a body to compress; a body of unknown length is always compressed",
            CompressionConfig::minBytes);
    private static final Key<Integer> MAX_ACTIVE = KEYS.optional(
            "max_active",
            Scalars.integer(1, CompressionConfig.MAX_MAX_ACTIVE),
            CompressionConfig.DEFAULT_MAX_ACTIVE,
            "maximum number of responses that are compressed at the same time, each with 256 KiB of memory for gzip, and up"
                    + " to 1 MiB for br and zstd; further responses are not compressed",
            CompressionConfig::maxActive);

    static final Type<CompressionConfig> COMPRESS = KEYS.build(CompressionKeys::build);

    private CompressionKeys() {}

    private static CompressionConfig build(Values values) {
        return new CompressionConfig(
                values.get(TYPES),
                values.get(ENCODINGS),
                values.get(LEVEL),
                values.get(BR_LEVEL),
                values.get(ZSTD_LEVEL),
                values.get(MIN_SIZE),
                values.get(MAX_ACTIVE));
    }
}
