package io.ballast.config.keys.http;

import static io.ballast.net.config.ClientLimits.DEFAULT;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.net.config.ClientLimits;
import java.util.List;

/**
 * The keys of {@code listeners[].limits}, read before the protocol of the listener is known.
 *
 * @param isHttp whether all keys apply, as for HTTP; only keys that apply are printed
 * @param hasConnections whether the file sets the maximum number of connections
 */
record LimitKeys(ClientLimits limits, boolean isHttp, boolean hasConnections) {

    /**
     * The default limit for UDP: each session uses a socket, and anyone can start sessions with forged addresses.
     */
    private static final int UDP_SESSIONS = 10_000;

    static final LimitKeys NONE = new LimitKeys(DEFAULT, /* isHttp= */ true, /* hasConnections= */ false);

    private static final ShapeBuilder<LimitKeys> KEYS = Shape.named("limits", "Limits for clients.");

    private static final Key<Integer> REQUEST_LINE = KEYS.optional(
            "request_line",
            Sizes.between(ClientLimits.MIN_LINE_BYTES, ClientLimits.MAX_HEAD_BYTES),
            DEFAULT.requestLineBytes(),
            "maximum length of the request line; if exceeded, 414",
            limits -> limits.limits.requestLineBytes(),
            LimitKeys::isHttp);
    private static final Key<Integer> HEADER = KEYS.optional(
            "header",
            Sizes.between(ClientLimits.MIN_LINE_BYTES, ClientLimits.MAX_HEAD_BYTES),
            DEFAULT.headerBytes(),
            "maximum length of a header line; if exceeded, 431",
            limits -> limits.limits.headerBytes(),
            LimitKeys::isHttp);
    private static final Key<Integer> HEAD = KEYS.optional(
            "head",
            Sizes.between(ClientLimits.MIN_HEAD_BYTES, ClientLimits.MAX_HEAD_BYTES),
            DEFAULT.headBytes(),
            "maximum length of the request head, including the request line; if exceeded, 431",
            limits -> limits.limits.headBytes(),
            LimitKeys::isHttp);
    private static final Key<Integer> HEADERS = KEYS.optional(
            "headers",
            Scalars.integer(1, ClientLimits.MAX_HEADERS),
            DEFAULT.headers(),
            "maximum number of header lines; if exceeded, 431",
            limits -> limits.limits.headers(),
            LimitKeys::isHttp);
    private static final Key<Long> BODY = KEYS.optional(
            "body",
            Sizes.SIZE_OR_UNLIMITED,
            DEFAULT.bodyBytes(),
            "maximum length of a request body; if exceeded, 413",
            limits -> limits.limits.bodyBytes(),
            LimitKeys::isHttp);
    private static final Key<Integer> CONNECTIONS = KEYS.optional(
            "connections",
            Scalars.integer(1, Integer.MAX_VALUE),
            DEFAULT.connections(),
            "maximum number of open client connections of the listener; further connections are closed;"
                    + " with udp the maximum number of sessions, 10000 by default",
            limits -> limits.limits.connections());
    private static final Key<Integer> CONNECTIONS_PER_CLIENT = KEYS.optional(
            "connections_per_client",
            Scalars.integer(0, Integer.MAX_VALUE),
            DEFAULT.connectionsPerClient(),
            "maximum number of open connections of one client address; further connections are closed; 0 for no limit",
            limits -> limits.limits.connectionsPerClient());
    private static final Key<Integer> CLIENT_IPV6_PREFIX = KEYS.optional(
            "client_ipv6_prefix",
            Scalars.integer(ClientLimits.MIN_IPV6_PREFIX, ClientLimits.MAX_IPV6_PREFIX),
            DEFAULT.ipv6PrefixBits(),
            "prefix length that identifies a client by its IPv6 address",
            limits -> limits.limits.ipv6PrefixBits());
    private static final Key<Integer> REQUESTS_PER_CONNECTION = KEYS.optional(
            "requests_per_connection",
            Scalars.integer(0, Integer.MAX_VALUE),
            DEFAULT.requestsPerConnection(),
            "maximum number of requests on one connection, which is closed after the last; 0 for no limit",
            limits -> limits.limits.requestsPerConnection(),
            LimitKeys::isHttp);
    private static final Key<Integer> IN_FLIGHT = KEYS.optional(
            "in_flight",
            Scalars.integer(0, Integer.MAX_VALUE),
            DEFAULT.inFlight(),
            "maximum number of the listener's requests in flight to backends; if exceeded, 503; 0 for no limit",
            limits -> limits.limits.inFlight());

    /** The keys that have no meaning with protocols other than HTTP. */
    static final List<Key<?>> HTTP_ONLY = List.of(REQUEST_LINE, HEADER, HEAD, HEADERS, BODY, REQUESTS_PER_CONNECTION);

    static final Type<LimitKeys> LIMITS = KEYS.build(LimitKeys::build);

    private static LimitKeys build(Values values) {
        ClientLimits limits = new ClientLimits(
                values.get(REQUEST_LINE),
                values.get(HEADER),
                values.get(HEAD),
                values.get(HEADERS),
                values.get(BODY),
                values.get(CONNECTIONS),
                values.get(CONNECTIONS_PER_CLIENT),
                values.get(CLIENT_IPV6_PREFIX),
                values.get(REQUESTS_PER_CONNECTION),
                values.get(IN_FLIGHT));
        return new LimitKeys(limits, /* isHttp= */ true, values.has(CONNECTIONS));
    }

    /** Returns the limits that apply to a listener. */
    ClientLimits of(ListenerProtocol protocol) {
        return protocol == ListenerProtocol.UDP && !hasConnections ? limits.withConnections(UDP_SESSIONS) : limits;
    }

    static LimitKeys of(ListenerConfig listener) {
        return new LimitKeys(
                listener.limits(), listener.protocol() == ListenerProtocol.HTTP, /* hasConnections= */ true);
    }
}
