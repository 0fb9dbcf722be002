package io.ballast.http.trace;

/** The texts that are recorded for a request, with their length limits in bytes. Longer texts are truncated. */
public enum TraceText {
    METHOD(32),
    PATH(1024),
    /**
     * The query without the question mark; recorded only if the policy enables this, because it may contain secrets.
     */
    QUERY(1024),
    HOST(256),
    /** The name of the listener, and after a blank the conditions of the route. */
    ROUTE(512),
    USER_AGENT(256),
    CLIENT(45),
    REQUEST_ID(128),
    /** The policy that answered the request; empty if no policy did. */
    POLICY(128),
    /** The value of the header {@code tracestate}. */
    STATE(TraceState.MAX_BYTES);

    static final int COUNT = values().length;

    private final int maxBytes;

    TraceText(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    int maxBytes() {
        return maxBytes;
    }
}
