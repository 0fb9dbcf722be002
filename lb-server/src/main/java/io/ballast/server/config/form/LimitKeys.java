package io.ballast.server.config.form;

import static io.ballast.core.config.ClientLimits.DEFAULT;

import io.ballast.core.config.ClientLimits;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Sizes;
import io.ballast.server.config.key.Type;

/** {@code listeners[].limits}. */
final class LimitKeys {

    private static final ShapeBuilder<ClientLimits> KEYS = Shape.named("limits", "How much a client may ask for.");

    private static final Key<Integer> REQUEST_LINE = KEYS.optional(
            "request_line",
            Sizes.between(ClientLimits.MIN_LINE_BYTES, ClientLimits.MAX_HEAD_BYTES),
            DEFAULT.requestLineBytes(),
            "longest request line; beyond it 414",
            ClientLimits::requestLineBytes);
    private static final Key<Integer> HEADER = KEYS.optional(
            "header",
            Sizes.between(ClientLimits.MIN_LINE_BYTES, ClientLimits.MAX_HEAD_BYTES),
            DEFAULT.headerBytes(),
            "longest single header line; beyond it 431",
            ClientLimits::headerBytes);
    private static final Key<Integer> HEAD = KEYS.optional(
            "head",
            Sizes.between(ClientLimits.MIN_HEAD_BYTES, ClientLimits.MAX_HEAD_BYTES),
            DEFAULT.headBytes(),
            "longest head, request line included; beyond it 431",
            ClientLimits::headBytes);
    private static final Key<Integer> HEADERS = KEYS.optional(
            "headers",
            Scalars.integer(1, ClientLimits.MAX_HEADERS),
            DEFAULT.headers(),
            "most header lines; beyond it 431",
            ClientLimits::headers);
    private static final Key<Long> BODY = KEYS.optional(
            "body",
            Sizes.SIZE_OR_UNLIMITED,
            DEFAULT.bodyBytes(),
            "longest request body; beyond it 413",
            ClientLimits::bodyBytes);
    private static final Key<Integer> CONNECTIONS = KEYS.optional(
            "connections",
            Scalars.integer(1, Integer.MAX_VALUE),
            DEFAULT.connections(),
            "most open client connections of the listener; beyond it new ones are closed",
            ClientLimits::connections);

    static final Type<ClientLimits> LIMITS = KEYS.build(values -> new ClientLimits(
            values.get(REQUEST_LINE),
            values.get(HEADER),
            values.get(HEAD),
            values.get(HEADERS),
            values.get(BODY),
            values.get(CONNECTIONS)));

    private LimitKeys() {}
}
