package io.ballast.dns.testing.partner;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;

/**
 * What a transfer over TLS takes.
 *
 * @param identity what servers and clients are on both sides, and whom they trust; made out for {@code localhost}
 * @param partner where the partner listens for TLS
 * @param ours where we do
 */
public record Secured(TlsFiles identity, HostPort partner, HostPort ours) {

    /** For what {@link #identity} is made out. */
    public static final String NAME = "localhost";
}
