package io.ballast.http;

import java.util.List;

/** What is spoken on connections of HTTP listeners, by the names of ALPN (RFC 7301). */
final class ApplicationProtocols {

    static final String HTTP_1_1 = "http/1.1";
    static final String HTTP_2 = "h2";

    /** What listeners with TLS offer, the preferred one first. */
    static final List<String> OFFERED = List.of(HTTP_2, HTTP_1_1);

    private ApplicationProtocols() {}
}
