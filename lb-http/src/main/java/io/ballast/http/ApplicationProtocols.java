package io.ballast.http;

import java.util.List;

/** The ALPN names (RFC 7301) of the protocols on HTTP listeners. */
final class ApplicationProtocols {

    static final String HTTP_1_1 = "http/1.1";
    static final String HTTP_2 = "h2";

    /** The protocols offered by TLS listeners, the preferred one first. */
    static final List<String> OFFERED = List.of(HTTP_2, HTTP_1_1);

    private ApplicationProtocols() {}
}
