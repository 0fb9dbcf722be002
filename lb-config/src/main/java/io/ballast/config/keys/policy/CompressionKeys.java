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
import java.util.Locale;

/** The keys of {@code policies.NAME.compress}. */
final class CompressionKeys {

    private static final String NAME = "[a-z0-9][a-z0-9!#$&^_.+-]*";

    private static final ShapeBuilder<CompressionConfig> KEYS = Shape.named(
            "compress",
            "Compresses the responses of backends with gzip, for clients that accept it. Leaves responses unchanged that"
                    + " are encoded already, partial, or marked with Cache-Control: no-transform.");

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
            ListType.atLeastOne(EnumWords.of(ContentCoding.class)),
            List.of(ContentCoding.GZIP),
            "content codings to use; this version compresses with gzip only, and ignores br and zstd with a warning",
            CompressionConfig::encodings);
    private static final Key<Integer> LEVEL = KEYS.optional(
            "level",
            Scalars.integer(1, CompressionConfig.MAX_LEVEL),
            CompressionConfig.DEFAULT_LEVEL,
            "effort, from 1 (fast) to 9 (small)",
            CompressionConfig::level);
    private static final Key<Integer> MIN_SIZE = KEYS.optional(
            "min_size",
            Sizes.between(0, CompressionConfig.MAX_MIN_BYTES),
            CompressionConfig.DEFAULT_MIN_BYTES,
            "a body of known length is compressed from this length on; a body of unknown length always",
            CompressionConfig::minBytes);
    private static final Key<Integer> MAX_ACTIVE = KEYS.optional(
            "max_active",
            Scalars.integer(1, CompressionConfig.MAX_MAX_ACTIVE),
            CompressionConfig.DEFAULT_MAX_ACTIVE,
            "maximum number of responses that are compressed at the same time, each with 256 KiB of memory; further"
                    + " responses are not compressed",
            CompressionConfig::maxActive);

    static final Type<CompressionConfig> COMPRESS = KEYS.build(CompressionKeys::build);

    private CompressionKeys() {}

    private static CompressionConfig build(Values values) {
        List<ContentCoding> encodings = values.get(ENCODINGS);
        for (ContentCoding coding : encodings) {
            if (!coding.isAvailable()) {
                String word = coding.name().toLowerCase(Locale.ROOT);
                values.reading().warning(values.node(ENCODINGS), word + " is not available in this version: ignored");
            }
        }
        if (encodings.stream().noneMatch(ContentCoding::isAvailable)) {
            values.reading().error(values.node(ENCODINGS), "no available encoding (expected: gzip, at least)");
            encodings = List.of(ContentCoding.GZIP);
        }
        return new CompressionConfig(
                values.get(TYPES), encodings, values.get(LEVEL), values.get(MIN_SIZE), values.get(MAX_ACTIVE));
    }
}
