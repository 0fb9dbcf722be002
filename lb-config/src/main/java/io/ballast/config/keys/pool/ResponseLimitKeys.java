package io.ballast.config.keys.pool;

import static io.ballast.core.config.ResponseLimits.DEFAULT;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.core.config.ResponseLimits;

/** The keys of {@code pools.NAME.connections.response_limits}. */
final class ResponseLimitKeys {

    private static final ShapeBuilder<ResponseLimits> KEYS = Shape.named(
            "response_limits",
            "Limits of response heads. A larger head is answered with 502; the access log has the `reason`.");

    private static final Key<Integer> STATUS_LINE = KEYS.optional(
            "status_line",
            Sizes.between(ResponseLimits.MIN_LINE_BYTES, ResponseLimits.MAX_HEAD_BYTES),
            DEFAULT.statusLineBytes(),
            "longest status line",
            ResponseLimits::statusLineBytes);
    private static final Key<Integer> HEADER = KEYS.optional(
            "header",
            Sizes.between(ResponseLimits.MIN_LINE_BYTES, ResponseLimits.MAX_HEAD_BYTES),
            DEFAULT.headerBytes(),
            "longest single header line",
            ResponseLimits::headerBytes);
    private static final Key<Integer> HEAD = KEYS.optional(
            "head",
            Sizes.between(ResponseLimits.MIN_HEAD_BYTES, ResponseLimits.MAX_HEAD_BYTES),
            DEFAULT.headBytes(),
            "longest head, status line included",
            ResponseLimits::headBytes);
    private static final Key<Integer> HEADERS = KEYS.optional(
            "headers",
            Scalars.integer(1, ResponseLimits.MAX_HEADERS),
            DEFAULT.headers(),
            "maximum number of header lines",
            ResponseLimits::headers);

    static final Type<ResponseLimits> LIMITS = KEYS.build(values ->
            new ResponseLimits(values.get(STATUS_LINE), values.get(HEADER), values.get(HEAD), values.get(HEADERS)));

    private ResponseLimitKeys() {}
}
