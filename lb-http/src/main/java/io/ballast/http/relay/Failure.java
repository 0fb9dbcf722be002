package io.ballast.http.relay;

import io.ballast.core.backend.BackendCounter;
import org.jspecify.annotations.Nullable;

/**
 * Every way in which an exchange can fail: who is at fault, and whether another try may help.
 * The label is the metric's label value and the name in logs.
 */
public enum Failure {
    BAD_REQUEST("bad_request", Source.CLIENT, Retry.NEVER, null),
    REQUEST_HEAD_TIMEOUT("request_head_timeout", Source.CLIENT, Retry.NEVER, null),
    REQUEST_BODY_TIMEOUT("request_body_timeout", Source.CLIENT, Retry.NEVER, null),
    /** The body came more slowly than the minimum rate. */
    REQUEST_BODY_SLOW("request_body_slow", Source.CLIENT, Retry.NEVER, null),
    REQUEST_TOO_LARGE("request_too_large", Source.CLIENT, Retry.NEVER, null),
    /** The client read more slowly than the minimum rate, or stopped reading. */
    SLOW_READER("slow_reader", Source.CLIENT, Retry.NEVER, BackendCounter.CLIENT_ABORTS),
    /** The client closed its connection before the response was out. */
    CLIENT_GONE("client_gone", Source.CLIENT, Retry.NEVER, BackendCounter.CLIENT_ABORTS),
    /** Nothing passed in either direction for as long as a session may be silent. */
    SESSION_IDLE("session_idle", Source.CLIENT, Retry.NEVER, null),
    /** The connection held more and moved less than others when the octets in transit had used up their budget. */
    SHED("shed", Source.CONFIGURATION, Retry.NEVER, BackendCounter.CLIENT_ABORTS),
    NO_ROUTE("no_route", Source.CONFIGURATION, Retry.NEVER, null),
    /** As many requests are being served for the listener as it may have at once. */
    LISTENER_FULL("listener_full", Source.CONFIGURATION, Retry.NEVER, null),
    /** The exchange as a whole took longer than it may. */
    EXCHANGE_TIMEOUT("exchange_timeout", Source.CONFIGURATION, Retry.NEVER, null),
    /** An operator put the pool under maintenance, or the backend to which a tunnel or session led. */
    MAINTENANCE("maintenance", Source.CONFIGURATION, Retry.NEVER, null),
    /** No backend of the pool is up. */
    NONE_UP("none_up", Source.BACKEND, Retry.NEVER, null),
    /** Backends are up, but each is full or was tried. */
    NONE_LEFT("none_left", Source.BACKEND, Retry.NEVER, null),
    /** Each backend is full, and as many requests wait for one as may. */
    QUEUE_FULL("queue_full", Source.BACKEND, Retry.NEVER, null),
    /** No backend had room for as long as a request waits. */
    QUEUE_TIMEOUT("queue_timeout", Source.BACKEND, Retry.NEVER, null),
    CONNECT_REFUSED("connect_refused", Source.BACKEND, Retry.CONNECT_FAILURE, BackendCounter.FAILED_CONNECT_REFUSED),
    CONNECT_TIMEOUT("connect_timeout", Source.BACKEND, Retry.CONNECT_FAILURE, BackendCounter.FAILED_CONNECT_TIMEOUT),
    /** The connection could not be made for another reason: no route, an unreachable network, no local port. */
    CONNECT_FAILED("connect_failed", Source.BACKEND, Retry.CONNECT_FAILURE, BackendCounter.FAILED_CONNECT),
    /** The process has no file descriptor left for a connection to a backend. No backend's fault. */
    NO_DESCRIPTORS("no_descriptors", Source.INTERNAL, Retry.CONNECT_FAILURE, null),
    /** The connection ended before a byte of the response arrived. */
    RESET_BEFORE_RESPONSE("reset", Source.BACKEND, Retry.RESET, BackendCounter.FAILED_RESET),
    /** The backend did not begin with the request, which may go elsewhere whatever it is (RFC 9113 section 8.7). */
    STREAM_REFUSED("stream_refused", Source.BACKEND, Retry.CONNECT_FAILURE, BackendCounter.FAILED_RESET),
    RESPONSE_TIMEOUT(
            "response_timeout", Source.BACKEND, Retry.RESPONSE_TIMEOUT, BackendCounter.FAILED_RESPONSE_TIMEOUT),
    BAD_RESPONSE("bad_response", Source.BACKEND, Retry.NEVER, BackendCounter.FAILED_BAD_RESPONSE),
    /** The connection ended, or stalled, in the middle of the response, or broke in a tunnel. */
    RESPONSE_CUT("response_cut", Source.BACKEND, Retry.NEVER, BackendCounter.FAILED_RESET),
    /** The response had begun, the request had not ended, and for as long as a body may be idle neither went on. */
    STREAM_IDLE("stream_idle", Source.CLIENT, Retry.NEVER, null),
    /** Nothing passed through a tunnel for as long as one may be idle. */
    TUNNEL_IDLE("tunnel_idle", Source.CLIENT, Retry.NEVER, null),
    /** The response would have been a success without a tunnel, which a client of HTTP/2 takes for the tunnel. */
    UPGRADE_REFUSED("upgrade_refused", Source.CONFIGURATION, Retry.NEVER, null),
    /** The backend speaks HTTP/2 and takes no WebSocket in it (RFC 8441 section 3). Another one of the pool may. */
    TUNNEL_UNSUPPORTED("tunnel_unsupported", Source.CONFIGURATION, Retry.CONNECT_FAILURE, null);

    /** Who is at fault. */
    public enum Source {
        CLIENT,
        BACKEND,
        CONFIGURATION,
        /** This process, which is short of something. */
        INTERNAL
    }

    /** On what condition another backend may be tried: see {@link io.ballast.core.config.RetryOn}. */
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

    public String label() {
        return label;
    }

    public Source source() {
        return source;
    }

    /** Whether an exchange that it ended counts as an error: not if its client is to blame, or asked for what is not there. */
    public boolean isError() {
        return source != Source.CLIENT && this != NO_ROUTE;
    }

    /** Whether it says that the backend is not fit to answer requests: one or two may be chance, many in a row are not. */
    public boolean isNoAnswer() {
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

    /** What is counted for the backend concerned, if one is. */
    public @Nullable BackendCounter counter() {
        return counter;
    }
}
