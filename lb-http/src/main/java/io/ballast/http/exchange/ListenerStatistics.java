package io.ballast.http.exchange;

import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Statistic;
import io.ballast.http.relay.Failure;
import java.util.List;

/**
 * The statistics of a listener that are exported directly from its counters. Requests, errors and responses
 * by class are not included, because the dashboard derives them itself and also computes their rates.
 */
public final class ListenerStatistics {

    private static final List<ListenerCounter> LIMITS = List.of(
            ListenerCounter.CONNECTIONS_REFUSED,
            ListenerCounter.CONNECTIONS_REFUSED_PER_CLIENT,
            ListenerCounter.CONNECTIONS_USED_UP,
            ListenerCounter.TLS_FAILED,
            ListenerCounter.PLAIN_HTTP,
            ListenerCounter.TLS_TIMED_OUT,
            ListenerCounter.CONNECTIONS_PROXY_REFUSED,
            ListenerCounter.HTTP2_ERRORS,
            ListenerCounter.HTTP2_FLOODS,
            ListenerCounter.HTTP3_ERRORS,
            ListenerCounter.HTTP3_FLOODS,
            ListenerCounter.CONNECTIONS_NOT_ACCEPTED);

    private static final List<ListenerCounter> DATAGRAMS =
            List.of(ListenerCounter.DATAGRAMS_IN, ListenerCounter.DATAGRAMS_OUT, ListenerCounter.DATAGRAMS_DROPPED);

    /** All listener statistics, in the order of the metrics and of the API. */
    public static final List<Statistic<Listener>> ALL = List.of(
            Statistic.ofValue(
                    Metric.gauge("ballast.listener.connections", "Open connections", "listener"),
                    "connections_open",
                    Listener::openConnections),
            counter(
                    Metric.counter("ballast.listener.accepted.connections", "Connections accepted", "listener"),
                    "connections_accepted",
                    ListenerCounter.CONNECTIONS_OPENED),
            Statistic.ofCounters(
                    Metric.counter(
                            "ballast.listener.limited.connections",
                            "Connections that a limit closed, by reason: limit (closed at once), client_limit (closed at"
                                    + " once), used_up (closed after the last request that a connection may have), tls (the"
                                    + " handshake failed), plain_http (plain HTTP to a listener with TLS, answered by 400 or"
                                    + " a redirect), tls_timeout (the handshake took too long), proxy (closed at once: not"
                                    + " from a trusted proxy, or without a PROXY header), http2_error (the client violated"
                                    + " the HTTP/2 protocol), http2_flood (an HTTP/2 client caused too much useless work),"
                                    + " http3_error and http3_flood (the same for HTTP/3);"
                                    + " no_descriptors (not closed: it waits until the process has a file descriptor for it;"
                                    + " each try counts)",
                            "listener",
                            "reason"),
                    "connections_limited",
                    LIMITS,
                    ListenerStatistics::limited),
            Statistic.ofCounters(
                    Metric.counter(
                            "ballast.listener.failures",
                            "Failed requests, by kind; the metrics documentation lists the kinds",
                            "listener",
                            "kind"),
                    "failures",
                    List.of(Failure.values()),
                    (listener, failure) -> listener.failures().sum(failure)),
            counter(
                    Metric.counter("ballast.listener.received", "Bytes received from clients", "listener")
                            .in("bytes"),
                    "bytes_received",
                    ListenerCounter.BYTES_IN),
            counter(
                    Metric.counter("ballast.listener.sent", "Bytes sent to clients", "listener")
                            .in("bytes"),
                    "bytes_sent",
                    ListenerCounter.BYTES_OUT),
            Statistic.ofValue(
                    Metric.gauge(
                            "ballast.listener.tunnels",
                            "Open tunnels, such as those of WebSockets; each is also a request in flight",
                            "listener"),
                    "tunnels_open",
                    ListenerStatistics::openTunnels),
            counter(
                    Metric.counter(
                            "ballast.listener.opened.tunnels",
                            "Tunnels opened: requests after which client and backend switched to another protocol",
                            "listener"),
                    "tunnels_opened",
                    ListenerCounter.TUNNELS_OPENED),
            Statistic.ofCounters(
                    Metric.counter(
                            "ballast.listener.datagrams",
                            "Datagrams of udp listeners: in (from clients), out (to clients), dropped (no session could"
                                    + " begin, or a socket was full)",
                            "listener",
                            "kind"),
                    "datagrams",
                    DATAGRAMS,
                    ListenerStatistics::sum),
            counter(
                    Metric.counter(
                            "ballast.listener.upgrades.ignored",
                            "Requests that asked for an upgrade, such as websocket, but were forwarded without it",
                            "listener"),
                    "upgrades_ignored",
                    ListenerCounter.UPGRADES_IGNORED),
            counter(
                    Metric.counter(
                            "ballast.listener.replaced.responses",
                            "Error responses of backends that an error page has replaced",
                            "listener"),
                    "responses_replaced",
                    ListenerCounter.RESPONSES_REPLACED),
            counter(
                    Metric.counter(
                            "ballast.listener.file.requests",
                            "Requests for static files: those that a route with files answered, with any status",
                            "listener"),
                    "file_requests",
                    ListenerCounter.FILE_REQUESTS),
            Statistic.ofValue(
                    Metric.counter(
                            "ballast.listener.access.log.dropped",
                            "Requests missing from the access log because its queue was full or the file could not be written",
                            "listener"),
                    "access_log_dropped",
                    Listener::accessLogDropped));

    private ListenerStatistics() {}

    private static Statistic<Listener> counter(Metric metric, String field, ListenerCounter counter) {
        return Statistic.ofValue(metric, field, listener -> sum(listener, counter));
    }

    private static long sum(Listener listener, ListenerCounter counter) {
        return listener.counters().sum(counter);
    }

    /**
     * Returns the value of a counter. Floods are subtracted from the errors of their protocol, because each flood is
     * counted first as a flood and then as an error.
     */
    private static long limited(Listener listener, ListenerCounter counter) {
        return switch (counter) {
            case HTTP2_ERRORS -> errors(listener, counter, ListenerCounter.HTTP2_FLOODS);
            case HTTP3_ERRORS -> errors(listener, counter, ListenerCounter.HTTP3_FLOODS);
            default -> sum(listener, counter);
        };
    }

    private static long errors(Listener listener, ListenerCounter errors, ListenerCounter flooding) {
        long floods = sum(listener, flooding);
        return Math.max(0, sum(listener, errors) - floods);
    }

    private static long openTunnels(Listener listener) {
        long closed = sum(listener, ListenerCounter.TUNNELS_CLOSED); // read first, so that the difference is >= 0
        return sum(listener, ListenerCounter.TUNNELS_OPENED) - closed;
    }
}
