package io.ballast.http.log;

/**
 * The texts that are logged for a request, in the order in which a log record stores them, with their length
 * limits in bytes.
 */
public enum AccessLogField {
    CLIENT(45),
    REQUEST_ID(128),
    METHOD(32),
    HOST(256),
    TARGET(2048),
    REFERER(1024),
    USER_AGENT(512),
    /** The name of the pool that serves a TCP or UDP session. */
    POOL(255),
    BACKEND(262),
    /** {@code ok}, or the reason why the client did not get a regular response. */
    END(32),
    /** More details about {@link #END}; may be empty. */
    REASON(128),
    /** The protocols to which the client asked to upgrade and that were not forwarded to the backend. */
    UPGRADE(64),
    /** The negotiated TLS parameters, the SNI host, and the subject of the client certificate. */
    TLS_VERSION(16),
    TLS_CIPHER(64),
    TLS_SERVER_NAME(256),
    TLS_ALPN(32),
    TLS_CLIENT(512),
    /** The policy that answered the request; empty if no policy did. */
    POLICY(128),
    /** The first policy with {@code dry_run} that would have answered the request. */
    DRY_RUN(128),
    /** The identity that an authentication policy has found. */
    IDENTITY(256),
    /** The id of the request's trace, 32 hexadecimal digits. */
    TRACE_ID(32);

    /** Appended to a truncated text. */
    static final byte[] TRUNCATION_MARK = {'[', '.', '.', '.', ']'};

    static final int COUNT = values().length;

    private final int maxBytes;

    AccessLogField(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** The length limit in bytes. */
    public int maxBytes() {
        return maxBytes;
    }
}
