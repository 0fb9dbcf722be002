package io.ballast.http.exchange;

import io.ballast.core.stats.LabelledCounter;
import io.ballast.core.stats.PerStatusClass;
import io.ballast.http.relay.Failure;

/** The counters of each listener. {@link ListenerStatistics} defines the metrics and the fields of the API. */
public enum ListenerCounter implements LabelledCounter {
    CONNECTIONS_OPENED("connections_opened"),
    CONNECTIONS_CLOSED("connections_closed"),
    /** Connections closed immediately because the listener was at its connection limit. */
    CONNECTIONS_REFUSED("limit"),
    /** Connections closed immediately because their client was at its connection limit. */
    CONNECTIONS_REFUSED_PER_CLIENT("client_limit"),
    /** Connections closed because they reached the maximum number of requests. */
    CONNECTIONS_USED_UP("used_up"),
    /** Accepts that failed because no file descriptor was free; the connections stay in the system's queue. */
    CONNECTIONS_NOT_ACCEPTED("no_descriptors"),
    /** Connections closed because their TLS handshake failed. */
    TLS_FAILED("tls"),
    /** Connections on which a client sent plain HTTP to a TLS listener. */
    PLAIN_HTTP("plain_http"),
    /** Connections closed because their TLS handshake took too long. */
    TLS_TIMED_OUT("tls_timeout"),
    /** Connections closed because their PROXY header was missing, malformed, late, or from an untrusted peer. */
    CONNECTIONS_PROXY_REFUSED("proxy"),
    /** Requests that have begun: their head was complete or malformed, or did not arrive in time. */
    REQUESTS("requests"),
    /** Requests that have ended, with any outcome. */
    REQUESTS_COMPLETED("requests_completed"),
    /** Completed requests that failed for a reason that the client did not cause: see {@link Failure#isError}. */
    ERRORS("errors"),
    /** Requests that a route answered with static files. */
    FILE_REQUESTS("file_requests"),
    /** Requests for an upgrade to a protocol that the listener does not forward. */
    UPGRADES_IGNORED("upgrades_ignored"),
    /** HTTP/2 connections. */
    HTTP2_CONNECTIONS("http2_connections"),
    /** HTTP/2 connections closed because of a client error. */
    HTTP2_ERRORS("http2_error"),
    /** HTTP/2 connections among {@link #HTTP2_ERRORS} that were closed for causing too much useless work. */
    HTTP2_FLOODS("http2_flood"),
    /** HTTP/3 connections. */
    HTTP3_CONNECTIONS("http3_connections"),
    /** HTTP/3 connections closed because of a client error. */
    HTTP3_ERRORS("http3_error"),
    /** HTTP/3 connections among {@link #HTTP3_ERRORS} that were closed for causing too much useless work. */
    HTTP3_FLOODS("http3_flood"),
    /** Exchanges that became a tunnel, because client and backend switched to another protocol. */
    TUNNELS_OPENED("tunnels_opened"),
    /** Tunnels that have ended. */
    TUNNELS_CLOSED("tunnels_closed"),
    /** Error responses of backends that an error page has replaced. */
    RESPONSES_REPLACED("responses_replaced"),
    RESPONSES_1XX("1xx"),
    RESPONSES_2XX("2xx"),
    RESPONSES_3XX("3xx"),
    RESPONSES_4XX("4xx"),
    RESPONSES_5XX("5xx"),
    BYTES_IN("bytes_in"),
    BYTES_OUT("bytes_out"),
    /** Datagrams from clients. */
    DATAGRAMS_IN("in"),
    /** Datagrams to clients. */
    DATAGRAMS_OUT("out"),
    /** Datagrams dropped because a session could not begin or a socket did not accept more data. */
    DATAGRAMS_DROPPED("dropped"),
    /** Exchanges missing from the access log because its queue was full. */
    ACCESS_LOG_DROPPED("access_log_dropped");

    private static final PerStatusClass<ListenerCounter> RESPONSES =
            new PerStatusClass<>(RESPONSES_1XX, RESPONSES_2XX, RESPONSES_3XX, RESPONSES_4XX, RESPONSES_5XX);

    private final String label;

    ListenerCounter(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }

    /** Returns the counter of a status class such as 2xx; {@code status} is 100 to 999. */
    public static ListenerCounter ofStatus(int status) {
        return RESPONSES.of(status);
    }
}
