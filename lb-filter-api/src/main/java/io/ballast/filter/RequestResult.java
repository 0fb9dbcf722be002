package io.ballast.filter;

import java.util.Optional;

/** The decision of a filter about a request. Immutable. */
public final class RequestResult {

    private static final RequestResult PASS = new RequestResult(Optional.empty(), HeaderEdits.NONE, HeaderEdits.NONE);

    private final Optional<FilterAnswer> answer;
    private final HeaderEdits requestEdits;
    private final HeaderEdits responseEdits;

    private RequestResult(Optional<FilterAnswer> answer, HeaderEdits requestEdits, HeaderEdits responseEdits) {
        this.answer = answer;
        this.requestEdits = requestEdits;
        this.responseEdits = responseEdits;
    }

    /** Lets the request go to its backend unchanged. */
    public static RequestResult pass() {
        return PASS;
    }

    /** Lets the request go to its backend with changed headers. */
    public static RequestResult pass(HeaderEdits request) {
        return pass(request, HeaderEdits.NONE);
    }

    /**
     * Lets the request go to its backend with changed headers, and changes the headers of the backend's response. These
     * changes of the response apply before the changes of {@link Filter#onResponse}.
     */
    public static RequestResult pass(HeaderEdits request, HeaderEdits response) {
        return new RequestResult(Optional.empty(), request, response);
    }

    /** Answers the client instead of a backend; no later filter and no backend receives the request. */
    public static RequestResult answer(FilterAnswer answer) {
        return new RequestResult(Optional.of(answer), HeaderEdits.NONE, HeaderEdits.NONE);
    }

    /** The answer of the filter; empty if the request passes. */
    public Optional<FilterAnswer> answer() {
        return answer;
    }

    /** The changes of the request; none if the filter answers. */
    public HeaderEdits requestEdits() {
        return requestEdits;
    }

    /** The changes of the backend's response; none if the filter answers. */
    public HeaderEdits responseEdits() {
        return responseEdits;
    }
}
