package io.ballast.http.relay;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.stats.LabelledCounter;
import org.jspecify.annotations.Nullable;

/**
 * The failures of an exchange, each with its source and its condition for a retry. The label is the metric's label
 * value and the name in logs.
 */
public enum Failure implements LabelledCounter {
    BAD_REQUEST("bad_request", Source.CLIENT, Retry.NEVER, null),
    REQUEST_HEAD_TIMEOUT("request_head_timeout", Source.CLIENT, Retry.NEVER, null),
    REQUEST_BODY_TIMEOUT("request_body_timeout", Source.CLIENT, Retry.NEVER, null),
    /** The client sent the body more slowly than the minimum rate. */
    REQUEST_BODY_SLOW("request_body_slow", Source.CLIENT, Retry.NEVER, null),
    REQUEST_TOO_LARGE("request_too_large", Source.CLIENT, Retry.NEVER, null),
    /** The client read more slowly than the minimum rate, or stopped reading. */
    SLOW_READER("slow_reader", Source.CLIENT, Retry.NEVER, BackendCounter.CLIENT_ABORTS),
    /** The client closed its connection before the response was sent. */
    CLIENT_GONE("client_gone", Source.CLIENT, Retry.NEVER, BackendCounter.CLIENT_ABORTS),
    /** No data passed in either direction within the session's idle timeout. */
    SESSION_IDLE("session_idle", Source.CLIENT, Retry.NEVER, null),
    /**
     * The connection was closed to free memory when the buffer budget was exhausted: it held more memory and
     * transferred less data than other connections.
     */
    SHED("shed", Source.CONFIGURATION, Retry.NEVER, BackendCounter.CLIENT_ABORTS),
    /** A policy refused the request, such as a rate limit. */
    POLICY_REFUSED("policy_refused", Source.CLIENT, Retry.NEVER, null),
    /** A policy could not decide, so the request was refused. */
    POLICY_FAILED("policy_failed", Source.INTERNAL, Retry.NEVER, null),
    /** The source of a local response failed, such as a file that became shorter while it was sent. */
    LOCAL_RESPONSE_FAILED("local_response_failed", Source.INTERNAL, Retry.NEVER, null),
    /** A policy could not evaluate the response of a backend, so the response was not sent. */
    RESPONSE_POLICY_FAILED("response_policy_failed", Source.INTERNAL, Retry.NEVER, null),
    NO_ROUTE("no_route", Source.CONFIGURATION, Retry.NEVER, null),
    /** The listener is at its limit of concurrent requests. */
    LISTENER_FULL("listener_full", Source.CONFIGURATION, Retry.NEVER, null),
    /** The exchange exceeded its time limit. */
    EXCHANGE_TIMEOUT("exchange_timeout", Source.CONFIGURATION, Retry.NEVER, null),
    /** An operator put the pool, or the backend of the tunnel or session, under maintenance. */
    MAINTENANCE("maintenance", Source.CONFIGURATION, Retry.NEVER, null),
    /** No backend of the pool is up. */
    NONE_UP("none_up", Source.BACKEND, Retry.NEVER, null),
    /** Backends are up, but each of them is full or was already tried. */
    NONE_LEFT("none_left", Source.BACKEND, Retry.NEVER, null),
    /** All backends are full, and so is the queue. */
    QUEUE_FULL("queue_full", Source.BACKEND, Retry.NEVER, null),
    /** No backend had a free slot within the queue timeout. */
    QUEUE_TIMEOUT("queue_timeout", Source.BACKEND, Retry.NEVER, null),
    CONNECT_REFUSED("connect_refused", Source.BACKEND, Retry.CONNECT_FAILURE, BackendCounter.FAILED_CONNECT_REFUSED),
    CONNECT_TIMEOUT("connect_timeout", Source.BACKEND, Retry.CONNECT_FAILURE, BackendCounter.FAILED_CONNECT_TIMEOUT),
    /**
     * The connection was neither refused nor timed out, but failed for another reason: no route, network
     * unreachable, or no local port.
     */
    CONNECT_FAILED("connect_failed", Source.BACKEND, Retry.CONNECT_FAILURE, BackendCounter.FAILED_CONNECT),
    /** The process has no file descriptor left for a backend connection. This is not a failure of the backend. */
    NO_DESCRIPTORS("no_descriptors", Source.INTERNAL, Retry.CONNECT_FAILURE, null),
    /** The connection ended before the first byte of the response. */
    RESET_BEFORE_RESPONSE("reset", Source.BACKEND, Retry.RESET, BackendCounter.FAILED_RESET),
    /**
     * The backend refused the stream without processing it, so any request may be retried on another backend
     * (RFC 9113 section 8.7).
     */
    STREAM_REFUSED("stream_refused", Source.BACKEND, Retry.CONNECT_FAILURE, BackendCounter.FAILED_RESET),
    RESPONSE_TIMEOUT(
            "response_timeout", Source.BACKEND, Retry.RESPONSE_TIMEOUT, BackendCounter.FAILED_RESPONSE_TIMEOUT),
    BAD_RESPONSE("bad_response", Source.BACKEND, Retry.NEVER, BackendCounter.FAILED_BAD_RESPONSE),
    /** The connection ended or stalled during the response, or broke in a tunnel. */
    RESPONSE_CUT("response_cut", Source.BACKEND, Retry.NEVER, BackendCounter.FAILED_RESET),
    /**
     * The response had begun and the request had not ended, but no data of either was transferred within the body idle
     * timeout.
     */
    STREAM_IDLE("stream_idle", Source.CLIENT, Retry.NEVER, null),
    /** No data passed through a tunnel within its idle timeout. */
    TUNNEL_IDLE("tunnel_idle", Source.CLIENT, Retry.NEVER, null),
    /**
     * The backend answered with a success status but opened no tunnel; an HTTP/2 client would mistake this
     * status for an established tunnel.
     */
    UPGRADE_REFUSED("upgrade_refused", Source.CONFIGURATION, Retry.NEVER, null),
    /**
     * The HTTP/2 backend does not support WebSocket (RFC 8441 section 3). Another backend of the pool may support it.
     */
    TUNNEL_UNSUPPORTED("tunnel_unsupported", Source.CONFIGURATION, Retry.CONNECT_FAILURE, null);

    /** The party that caused the failure. */
    public enum Source {
        CLIENT,
        BACKEND,
        CONFIGURATION,
        /** This load balancer process, because it has run out of a resource such as file descriptors. */
        INTERNAL
    }

    /** The condition for a retry on another backend: see {@link io.ballast.core.config.RetryOn}. */
    public enum Retry {
        NEVER,
        CONNECT_FAILURE,
        RESET,
        RESPONSE_TIMEOUT
    }

    private final String label;
    private final Source source;
    private final Retry retry;
    private final @Nullable BackendCounter counter;

    Failure(String label, Source source, Retry retry, @Nullable BackendCounter counter) {
        this.label = label;
        this.source = source;
        this.retry = retry;
        this.counter = counter;
    }

    @Override
    public String label() {
        return label;
    }

    public Source source() {
        return source;
    }

    /** Whether the failure counts as an error; client failures and {@link #NO_ROUTE} do not. */
    public boolean isError() {
        return source != Source.CLIENT && this != NO_ROUTE;
    }

    /**
     * Whether the failure suggests an unhealthy backend. One or two such failures may be coincidence; many
     * failures in a row are not.
     */
    public boolean suggestsUnhealthyBackend() {
        return switch (this) {
            case CONNECT_REFUSED,
                    CONNECT_TIMEOUT,
                    CONNECT_FAILED,
                    RESET_BEFORE_RESPONSE,
                    RESPONSE_TIMEOUT,
                    BAD_RESPONSE -> true;
            default -> false;
        };
    }

    public Retry retry() {
        return retry;
    }

    /** The backend counter for this failure; null for none. */
    public @Nullable BackendCounter counter() {
        return counter;
    }
}
