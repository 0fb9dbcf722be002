package io.ballast.core.config;

/** The protocol of connections to backends. */
public enum BackendProtocol {
    /** HTTP/1.1, one exchange at a time on a connection. */
    HTTP1("http1"),
    /** HTTP/2 without TLS by prior knowledge (RFC 9113 section 3.3). */
    H2C("h2c"),
    /** HTTP/2 over TLS. */
    H2("h2"),
    /** HTTP/2 or HTTP/1.1, negotiated by ALPN for each TLS connection; HTTP/1.1 without TLS. */
    AUTO("auto");

    private final String label;

    BackendProtocol(String label) {
        this.label = label;
    }

    /** Returns the name of the protocol in configuration files. */
    public String label() {
        return label;
    }
}
