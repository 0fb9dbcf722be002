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
    /** A response with the query's id does not answer the question. */
    MALFORMED("malformed"),
    /** The TLS handshake failed, did not agree on HTTP/2 where that is needed, or there is no TLS for this server. */
    TLS("tls"),
    /** The response by HTTP has another status than 200, or another type than a DNS message. */
    HTTP("http"),
    /** The limit of outstanding questions was reached. Nothing was sent. */
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
     * Whether the question itself may be the reason on a server that is well: the server waits for the authorities of
     * its name in vain, or ends the connection, or says so in HTTP, for this question alone.
     */
    public boolean mayBeCausedByQuestion() {
        return this == TIMEOUT || this == RESET || this == MALFORMED || this == HTTP;
    }

    /** Returns whether the server caused the failure, as opposed to a shortage or a close by this process. */
    public boolean isCausedByServer() {
        return this != TOO_MANY && this != NO_DESCRIPTORS && this != CLOSED;
    }
}
