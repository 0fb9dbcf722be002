package io.ballast.core.backend;

import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Statistic;
import java.util.List;

/** The statistics of a backend that are exported without further processing. */
public final class BackendStatistics {

    /** Responses by status class, 1xx first. */
    public static final List<BackendCounter> STATUS_CLASSES = List.of(
            BackendCounter.RESPONSES_1XX,
            BackendCounter.RESPONSES_2XX,
            BackendCounter.RESPONSES_3XX,
            BackendCounter.RESPONSES_4XX,
            BackendCounter.RESPONSES_5XX);

    /** Exchanges that failed without a complete response, by kind. */
    public static final List<BackendCounter> FAILURES = List.of(
            BackendCounter.FAILED_CONNECT_REFUSED,
            BackendCounter.FAILED_CONNECT_TIMEOUT,
            BackendCounter.FAILED_CONNECT,
            BackendCounter.FAILED_RESET,
            BackendCounter.FAILED_RESPONSE_TIMEOUT,
            BackendCounter.FAILED_BAD_RESPONSE);

    /**
     * The statistics that are exported directly from the counters, in the order of the metrics and of the API.
     */
    public static final List<Statistic<Backend>> ALL = List.of(
            Statistic.ofValue(
                    counter("ballast.backend.requests", "Requests sent to the backend; each attempt counts"),
                    backend -> backend.stats().sum(BackendCounter.REQUESTS)),
            Statistic.ofCounters(
                    Metric.counter(
                            "ballast.backend.responses",
                            "Responses received, by class: 1xx to 5xx",
                            "pool",
                            "backend",
                            "class"),
                    "responses",
                    STATUS_CLASSES,
                    (backend, counter) -> backend.stats().sum(counter)),
            Statistic.ofCounters(
                    Metric.counter(
                            "ballast.backend.failures",
                            "Exchanges that failed without a complete response, by kind: connect_refused,"
                                    + " connect_timeout, connect_failed, reset, response_timeout, bad_response",
                            "pool",
                            "backend",
                            "kind"),
                    "failures",
                    FAILURES,
                    (backend, counter) -> backend.stats().sum(counter)),
            statistic(
                    counter(
                            "ballast.backend.retries",
                            "Exchanges that were retried on another connection or another backend"),
                    "retries",
                    BackendCounter.RETRIES),
            statistic(
                    counter(
                            "ballast.backend.client.aborts",
                            "Responses that were abandoned because the client disconnected or stopped reading"),
                    "client_aborts",
                    BackendCounter.CLIENT_ABORTS),
            statistic(
                    counter("ballast.backend.sent", "Bytes sent to the backend, heads included")
                            .in("bytes"),
                    "bytes_to",
                    BackendCounter.BYTES_TO),
            statistic(
                    counter("ballast.backend.received", "Bytes received from the backend, heads included")
                            .in("bytes"),
                    "bytes_from",
                    BackendCounter.BYTES_FROM),
            Statistic.ofValue(
                    gauge("ballast.backend.in.flight", "Current exchanges"),
                    backend -> backend.inFlight().count()),
            statistic(
                    counter("ballast.backend.connects", "Connections opened to the backend"),
                    "connects",
                    BackendCounter.CONNECTS),
            statistic(
                    counter("ballast.backend.reuses", "Requests sent on a reused connection"),
                    "reuses",
                    BackendCounter.REUSES),
            Statistic.ofValue(
                    gauge(
                            "ballast.backend.connection.waits",
                            "Requests that currently wait for a free connection (see max_connections), or for their turn to"
                                    + " connect"),
                    backend -> backend.stats().waitingForConnection()));

    private BackendStatistics() {}

    private static Metric counter(String id, String description) {
        return Metric.counter(id, description, "pool", "backend");
    }

    private static Metric gauge(String id, String description) {
        return Metric.gauge(id, description, "pool", "backend");
    }

    private static Statistic<Backend> statistic(Metric metric, String field, BackendCounter counter) {
        return Statistic.ofValue(metric, field, backend -> backend.stats().sum(counter));
    }
}
