package io.ballast.http.exchange;

import io.ballast.http.relay.Failure;
import org.jspecify.annotations.Nullable;

/** Maps failures to HTTP status codes (RFC 9110 sections 15.5 and 15.6). */
public final class FailureStatus {

    private static final int SERVER_ERROR = 500;

    private FailureStatus() {}

    /**
     * Returns the status to send for a failure that occurs before the response has begun; 499 if the client can
     * no longer receive a response.
     */
    public static int of(Failure failure) {
        return switch (failure) {
            case BAD_REQUEST -> 400;
            case POLICY_REFUSED -> 403;
            case NO_ROUTE -> 404;
            case REQUEST_BODY_SLOW,
                    REQUEST_BODY_TIMEOUT,
                    REQUEST_HEAD_TIMEOUT,
                    SESSION_IDLE,
                    STREAM_IDLE,
                    TUNNEL_IDLE -> 408;
            case REQUEST_TOO_LARGE -> 413;
            case CLIENT_GONE, SLOW_READER -> 499;
            case LOCAL_RESPONSE_FAILED, RESPONSE_POLICY_FAILED -> 500;
            case BAD_RESPONSE,
                    CONNECT_FAILED,
                    CONNECT_REFUSED,
                    RESET_BEFORE_RESPONSE,
                    RESPONSE_CUT,
                    UPGRADE_REFUSED,
                    TUNNEL_UNSUPPORTED -> 502;
            case LISTENER_FULL,
                    MAINTENANCE,
                    NONE_LEFT,
                    NONE_UP,
                    NO_DESCRIPTORS,
                    POLICY_FAILED,
                    QUEUE_FULL,
                    QUEUE_TIMEOUT,
                    SHED,
                    STREAM_REFUSED -> 503;
            case CONNECT_TIMEOUT, EXCHANGE_TIMEOUT, RESPONSE_TIMEOUT -> 504;
        };
    }

    /**
     * Whether a finished request counts as an error: its status was 5xx, or its response was cut off for a reason
     * that the client did not cause.
     *
     * @param status the status of the response head sent to the client; 0 for none
     * @param failure the reason the request ended; null if it succeeded
     */
    public static boolean isError(int status, @Nullable Failure failure) {
        return status >= SERVER_ERROR || (failure != null && failure.isError());
    }
}
