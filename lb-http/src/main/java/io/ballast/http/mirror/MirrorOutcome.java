package io.ballast.http.mirror;

import io.ballast.core.stats.LabelledCounter;
import io.ballast.http.background.BackgroundFailure;

/** The result of a request that was selected for mirroring. */
public enum MirrorOutcome implements LabelledCounter {
    RESPONSE_2XX("2xx"),
    RESPONSE_3XX("3xx"),
    RESPONSE_4XX("4xx"),
    RESPONSE_5XX("5xx"),
    TIMEOUT("timeout"),
    NO_BACKEND("no_backend"),
    BACKEND_FAILED("backend_failed"),
    /** The response body exceeded {@link Mirror#MAX_RESPONSE_BYTES}. */
    RESPONSE_TOO_LARGE("response_too_large"),
    /** The process stopped before the response was complete. */
    STOPPED("stopped"),
    /** Too many mirrored requests are in flight. */
    SKIPPED_IN_FLIGHT("skipped_in_flight"),
    /** The body of the request is too long. */
    SKIPPED_BODY("skipped_body"),
    /** The request asks for a protocol switch, such as a WebSocket. */
    SKIPPED_TUNNEL("skipped_tunnel"),
    /** The client's request ended before its body was complete. */
    SKIPPED_INCOMPLETE("skipped_incomplete"),
    /** The request was mirrored before: it has the header that marks mirrored requests. */
    SKIPPED_MIRRORED("skipped_mirrored"),
    /** The head of the request is malformed. */
    SKIPPED_INVALID("skipped_invalid");

    private final String label;

    MirrorOutcome(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }

    static MirrorOutcome of(BackgroundFailure failure) {
        return switch (failure) {
            case REFUSED -> SKIPPED_IN_FLIGHT;
            case INVALID_REQUEST -> SKIPPED_INVALID;
            case TIMEOUT -> TIMEOUT;
            case RESPONSE_TOO_LARGE -> RESPONSE_TOO_LARGE;
            case NO_BACKEND -> NO_BACKEND;
            case BACKEND_FAILED -> BACKEND_FAILED;
            case STOPPED -> STOPPED;
        };
    }

    static MirrorOutcome ofStatus(int status) {
        return switch (status / 100) {
            case 2 -> RESPONSE_2XX;
            case 3 -> RESPONSE_3XX;
            case 4 -> RESPONSE_4XX;
            default -> RESPONSE_5XX; // a status above 599 counts as a server error (RFC 9110 section 15)
        };
    }
}
