package io.ballast.core.config;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The TLS settings of connections to a pool's backends, or to the primaries of a zone.
 *
 * @param ca PEM file with the certificates of accepted issuers; if absent, the issuers that Java trusts
 * @param serverName the name that the backends' certificates must have and that is sent as SNI; if absent,
 *     the host of each backend's address
 * @param identity the client certificate, if one is requested
 * @param insecure whether certificates are not verified
 */
public record BackendTls(
        Optional<Path> ca, Optional<String> serverName, Optional<TlsFiles> identity, boolean insecure) {

    /** Requires certificates for the hosts of the backends' addresses, from issuers that Java trusts. */
    public static final BackendTls DEFAULT =
            new BackendTls(Optional.empty(), Optional.empty(), Optional.empty(), /* insecure= */ false);

    public BackendTls {
        Checks.that(!insecure || ca.isEmpty(), "ca", "given", "no ca with insecure, which disables verification");
    }
}
