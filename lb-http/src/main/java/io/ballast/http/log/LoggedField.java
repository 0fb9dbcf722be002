package io.ballast.http.log;

/** Texts of a request that are logged, in the order in which they lie in a record, and how much of each is kept. */
public enum LoggedField {
    CLIENT(45),
    REQUEST_ID(128),
    METHOD(32),
    HOST(256),
    TARGET(2048),
    REFERER(1024),
    USER_AGENT(512),
    /** The pool of a session. */
    POOL(255),
    BACKEND(262),
    /** {@code ok}, or why there was no proper response. */
    END(32),
    /** Why it ended so, in words, where that says more. */
    REASON(128),
    /** The protocols to which the client wanted to change, which is not passed on. */
    UPGRADE(64),
    /** What was agreed on by TLS, the name that the client asked for, and whom it proved to be. */
    TLS_VERSION(16),
    TLS_CIPHER(64),
    TLS_SERVER_NAME(256),
    TLS_ALPN(32),
    TLS_CLIENT(512);

    /** Stands behind a text of which not all was kept. */
    static final byte[] CUT = {'[', '.', '.', '.', ']'};

    static final int COUNT = values().length;

    private final int mostBytes;

    LoggedField(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** How much of it is kept. */
    public int mostBytes() {
        return mostBytes;
    }
}
