package io.ballast.dns.testing.partner;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;

/** TLS settings of transfers. */
public record TlsPeering(TlsFiles identity, HostPort partner, HostPort ballast) {

    /** Host name in the certificate. */
    public static final String NAME = "localhost";
}
