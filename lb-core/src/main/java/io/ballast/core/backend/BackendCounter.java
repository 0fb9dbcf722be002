package io.ballast.core.backend;

import io.ballast.core.stats.LabelledCounter;
import io.ballast.core.stats.PerStatusClass;

/** The counters of a backend. The label is the metric's label value and the name in the API. */
public enum BackendCounter implements LabelledCounter {
    /** Requests sent to the backend; each attempt counts as one request. */
    REQUESTS("requests"),
    RESPONSES_1XX("1xx"),
    RESPONSES_2XX("2xx"),
    RESPONSES_3XX("3xx"),
    RESPONSES_4XX("4xx"),
    RESPONSES_5XX("5xx"),
    /** Bytes sent to the backend, heads included. */
    BYTES_TO("bytes_to"),
    /** Bytes received from the backend, heads included. */
    BYTES_FROM("bytes_from"),
    /** Connections opened. */
    CONNECTS("connects"),
    /** Requests sent on a connection that had already served another request. */
    REUSES("reuses"),
    /** Requests that waited for a connection because the backend's connection limit was reached. */
    CONNECTION_WAITS("connection_waits"),
    /** Requests whose wait for a connection has ended. */
    CONNECTION_WAITS_OVER("connection_waits_over"),
    /** Exchanges that were retried on another connection or another backend. */
    RETRIES("retries"),
    FAILED_CONNECT_REFUSED("connect_refused"),
    FAILED_CONNECT_TIMEOUT("connect_timeout"),
    /** Failed connection attempts, except refused ones and timeouts, which have their own counters. */
    FAILED_CONNECT("connect_failed"),
    FAILED_RESET("reset"),
    FAILED_RESPONSE_TIMEOUT("response_timeout"),
    FAILED_BAD_RESPONSE("bad_response"),
    /** Responses that were abandoned because the client disconnected or stopped reading. */
    CLIENT_ABORTS("client_aborts");

    private static final PerStatusClass<BackendCounter> RESPONSES =
            new PerStatusClass<>(RESPONSES_1XX, RESPONSES_2XX, RESPONSES_3XX, RESPONSES_4XX, RESPONSES_5XX);

    private final String label;

    BackendCounter(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }

    /** Returns the counter for the class of a status; {@code status} is 100 to 999. */
    public static BackendCounter ofStatus(int status) {
        return RESPONSES.of(status);
    }
}
