package io.ballast.net.config;

import io.ballast.core.Checks;

/**
 * Limits of clients.
 *
 * @param requestLineBytes longest request line without its line end; a longer line gets 414
 * @param headerBytes longest single header line; a longer line gets 431
 * @param headBytes longest head, including the request line; a longer head gets 431
 * @param headers maximum number of header lines; more lines get 431
 * @param bodyBytes longest request body; a longer body gets 413; {@link Long#MAX_VALUE} for no limit
 * @param connections maximum number of open client connections of the listener; further connections are closed
 * @param connectionsPerClient maximum number of open connections of one client address; further connections are closed;
 *     0 for no limit, which is the default because many clients may share one address
 * @param ipv6PrefixBits number of leading bits of an IPv6 address that identify a client: a host usually has
 *     a /64, so that a limit for each single address would be ineffective
 * @param requestsPerConnection maximum number of requests on one connection, which is closed after the last;
 *     0 for no limit
 * @param inFlight maximum number of concurrent requests for this listener; further requests get 503; 0 for no limit
 */
public record ClientLimits(
        int requestLineBytes,
        int headerBytes,
        int headBytes,
        int headers,
        long bodyBytes,
        int connections,
        int connectionsPerClient,
        int ipv6PrefixBits,
        int requestsPerConnection,
        int inFlight) {

    public static final int MIN_LINE_BYTES = 64;
    public static final int MIN_HEAD_BYTES = 256;
    public static final int MAX_HEAD_BYTES = 64 * 1024;
    public static final int MAX_HEADERS = 1000;
    public static final int MIN_IPV6_PREFIX = 16;
    public static final int MAX_IPV6_PREFIX = 128;

    public static final ClientLimits DEFAULT =
            new ClientLimits(8 * 1024, 8 * 1024, 32 * 1024, 100, Long.MAX_VALUE, 100_000);

    public ClientLimits {
        Checks.between(requestLineBytes, MIN_LINE_BYTES, MAX_HEAD_BYTES, "request_line");
        Checks.between(headerBytes, MIN_LINE_BYTES, MAX_HEAD_BYTES, "header");
        Checks.between(headBytes, MIN_HEAD_BYTES, MAX_HEAD_BYTES, "head");
        Checks.between(headers, 1, MAX_HEADERS, "headers");
        Checks.that(bodyBytes >= 0, "body", bodyBytes, ">= 0");
        Checks.positive(connections, "connections");
        Checks.atLeast(connectionsPerClient, 0, "connections_per_client");
        Checks.between(ipv6PrefixBits, MIN_IPV6_PREFIX, MAX_IPV6_PREFIX, "client_ipv6_prefix");
        Checks.atLeast(requestsPerConnection, 0, "requests_per_connection");
        Checks.atLeast(inFlight, 0, "in_flight");
    }

    /** Creates limits with the given values, and with the default values of all other limits. */
    public ClientLimits(
            int requestLineBytes, int headerBytes, int headBytes, int headers, long bodyBytes, int connections) {
        this(requestLineBytes, headerBytes, headBytes, headers, bodyBytes, connections, 0, 64, 0, 0);
    }

    /** Returns a copy with a different connection limit. */
    public ClientLimits withConnections(int max) {
        return with(bodyBytes, max, connectionsPerClient, requestsPerConnection);
    }

    /** Returns a copy with a different limit of request bodies. */
    public ClientLimits withBody(long maxBytes) {
        return with(maxBytes, connections, connectionsPerClient, requestsPerConnection);
    }

    /** Returns a copy with these limits. */
    public ClientLimits with(long bodyBytes, int connections, int connectionsPerClient, int requestsPerConnection) {
        return new ClientLimits(
                requestLineBytes,
                headerBytes,
                headBytes,
                headers,
                bodyBytes,
                connections,
                connectionsPerClient,
                ipv6PrefixBits,
                requestsPerConnection,
                inFlight);
    }
}
