package io.ballast.dns.forward.upstream;

/** The reason why an attempt failed. The label is the value in metrics. */
public enum AttemptFailure {
    /** The port of the server is closed. */
    REFUSED_CONNECTION("refused"),
    /** The server is unreachable, or has no address. */
    UNREACHABLE("unreachable"),
    /** No answer came in time. */
    TIMEOUT("timeout"),
    /** The connection ended before the answer. */
    RESET("reset"),
    /** The server sent a response that has the query's id but does not match the question. */
    MALFORMED("malformed"),
    /**
     * The TLS handshake failed, HTTP/2 was required but not negotiated, or there are no TLS settings for this
     * server.
     */
    TLS("tls"),
    /** The HTTP response has a status other than 200, or a media type other than that of a DNS message. */
    HTTP("http"),
    /** The limit of outstanding queries was reached. Nothing was sent. */
    TOO_MANY("too_many"),
    /** The process has no file descriptor left. */
    NO_DESCRIPTORS("no_descriptors"),
    /** The upstreams of this event loop are closed. */
    CLOSED("closed");

    private final String label;

    AttemptFailure(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /**
     * Whether the question may have caused the failure although the server is healthy. For some questions, a
     * server gets no response from the name's authoritative servers, closes the connection, or returns an HTTP
     * error.
     */
    public boolean mayBeCausedByQuestion() {
        return this == TIMEOUT || this == RESET || this == MALFORMED || this == HTTP;
    }

    /**
     * Returns whether the server caused the failure. Returns false if this process had no capacity or no file
     * descriptor left, or closed the connection itself.
     */
    public boolean isCausedByServer() {
        return this != TOO_MANY && this != NO_DESCRIPTORS && this != CLOSED;
    }
}
