package io.ballast.http.background;

/** The reasons why a background request got no complete response. */
public enum BackgroundFailure {
    /** Too many background requests of the event loop are in flight, or the process stops. */
    REFUSED("refused"),
    /** The head is not a valid HTTP/1.1 request head, or does not announce the length of the body. */
    INVALID_REQUEST("invalid_request"),
    /** The response was not complete within the request's time limit. */
    TIMEOUT("timeout"),
    /** The response body is longer than the request allows. */
    RESPONSE_TOO_LARGE("response_too_large"),
    /** No backend of the pool is usable or has a free slot, or the pool is under maintenance. */
    NO_BACKEND("no_backend"),
    /** A backend failed, and so did the retries that the pool allows. */
    BACKEND_FAILED("backend_failed"),
    /** The process stopped while the request was in flight. */
    STOPPED("stopped");

    private final String label;

    BackgroundFailure(String label) {
        this.label = label;
    }

    /** The name of the failure in metrics. */
    public String label() {
        return label;
    }
}
