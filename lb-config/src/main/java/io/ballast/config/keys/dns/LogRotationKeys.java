package io.ballast.config.keys.dns;

import static io.ballast.dns.config.LogRotation.DEFAULT;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.dns.config.LogRotation;

/** The keys of {@code dns.query_log.rotate} and {@code dns.dnstap.rotate}. */
final class LogRotationKeys {

    private static final ShapeBuilder<LogRotation> KEYS =
            Shape.named("log_rotation", "When a file is rotated to `name.1`; older ones become `name.2` and so on.");

    private static final Key<Integer> SIZE = KEYS.optional(
            "size",
            Sizes.between(LogRotation.MIN_SIZE_BYTES, LogRotation.MAX_SIZE_BYTES),
            DEFAULT.sizeBytes(),
            "maximum size of the file",
            LogRotation::sizeBytes);
    private static final Key<Integer> KEEP = KEYS.optional(
            "keep",
            Scalars.integer(0, LogRotation.MAX_KEPT),
            DEFAULT.keep(),
            "number of rotated files that are kept",
            LogRotation::keep);

    static final Type<LogRotation> ROTATION = KEYS.build(values -> new LogRotation(values.get(SIZE), values.get(KEEP)));

    private LogRotationKeys() {}
}
