package io.ballast.http.exchange;

import io.ballast.core.stats.PerStatusClass;
import io.ballast.http.relay.Failure;

/** What is counted for every listener. The label is the metric's label value and the name in the API. */
public enum ListenerCounter {
    CONNECTIONS_OPENED("connections_opened"),
    CONNECTIONS_CLOSED("connections_closed"),
    /** Connections closed at once because the listener had as many as allowed. */
    CONNECTIONS_REFUSED("connections_refused"),
    /** Connections closed at once because their client had as many as allowed. */
    CONNECTIONS_REFUSED_PER_CLIENT("connections_refused_per_client"),
    /** Connections closed because they had served as many requests as allowed. */
    CONNECTIONS_USED_UP("connections_used_up"),
    /** Connections that could not be accepted when it was tried, for lack of a descriptor; they wait. */
    CONNECTIONS_NOT_ACCEPTED("connections_not_accepted"),
    /** Connections closed because their TLS handshake failed. */
    TLS_FAILED("tls_failed"),
    /** Connections on which a client sent HTTP without TLS where TLS is spoken. */
    PLAIN_HTTP("plain_http"),
    /** Connections closed because their TLS handshake took too long. */
    TLS_TIMED_OUT("tls_timed_out"),
    /** Connections closed because their PROXY header was missing, malformed, late, or from a peer that is not trusted. */
    CONNECTIONS_PROXY_REFUSED("connections_proxy_refused"),
    /** Requests that began: their head was complete, or was given up as malformed or too slow. */
    REQUESTS("requests"),
    /** Requests that are over, whatever became of them. */
    REQUESTS_COMPLETED("requests_completed"),
    /** Of those, the ones that failed by no fault of their client: see {@link Failure#isError}. */
    ERRORS("errors"),
    /** Requests that wanted another protocol on their connection, one that is not passed on. */
    UPGRADES_IGNORED("upgrades_ignored"),
    /** Connections that spoke HTTP/2. */
    HTTP2_CONNECTIONS("http2_connections"),
    /** Connections of HTTP/2 that were ended for a fault of their client. */
    HTTP2_ERRORS("http2_errors"),
    /** Of those, the ones that made us do too much for nothing. */
    HTTP2_FLOODS("http2_floods"),
    /** Exchanges that became a tunnel, because client and backend switched to another protocol. */
    TUNNELS_OPENED("tunnels_opened"),
    /** Of those, the ones that are over. */
    TUNNELS_CLOSED("tunnels_closed"),
    RESPONSES_1XX("1xx"),
    RESPONSES_2XX("2xx"),
    RESPONSES_3XX("3xx"),
    RESPONSES_4XX("4xx"),
    RESPONSES_5XX("5xx"),
    BYTES_IN("bytes_in"),
    BYTES_OUT("bytes_out"),
    /** Datagrams of clients. */
    DATAGRAMS_IN("datagrams_in"),
    /** Datagrams to clients. */
    DATAGRAMS_OUT("datagrams_out"),
    /** Datagrams that went nowhere: no session could begin, or a socket took no more. */
    DATAGRAMS_DROPPED("datagrams_dropped"),
    /** Exchanges that were not logged because the queue of the access log was full. */
    ACCESS_LOG_DROPPED("access_log_dropped");

    private static final PerStatusClass<ListenerCounter> RESPONSES =
            new PerStatusClass<>(RESPONSES_1XX, RESPONSES_2XX, RESPONSES_3XX, RESPONSES_4XX, RESPONSES_5XX);

    private final String label;

    ListenerCounter(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** The counter of a response's class; {@code status} is 100 to 999. */
    public static ListenerCounter ofStatus(int status) {
        return RESPONSES.of(status);
    }
}
