package io.ballast.acme.config;

import java.util.Locale;

/** The ways in which a certificate authority verifies that a server controls a name. */
public enum AcmeChallenge {
    /** The CA fetches a file over HTTP on port 80 (RFC 8555 section 8.3). */
    HTTP_01,
    /** The CA opens a TLS connection to port 443 (RFC 8737). */
    TLS_ALPN_01,
    /** The CA looks up a TXT record (RFC 8555 section 8.4). Only this challenge permits wildcards. */
    DNS_01;

    /** The name in RFC 8555 and in the configuration, such as {@code http-01}. */
    public String type() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
