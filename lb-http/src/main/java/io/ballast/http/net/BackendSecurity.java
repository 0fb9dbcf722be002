package io.ballast.http.net;

import io.ballast.net.tls.ClientTls;

/**
 * The TLS settings of a connection to a backend. It distinguishes plaintext as configured from TLS that is unavailable,
 * so that a connection meant for TLS is never made without it.
 */
public sealed interface BackendSecurity {

    /** Plaintext, as configured. */
    BackendSecurity PLAINTEXT = new Plaintext();

    /** TLS whose configuration has been removed: no connection can be made. */
    BackendSecurity UNAVAILABLE = new Unavailable();

    record Plaintext() implements BackendSecurity {}

    record Unavailable() implements BackendSecurity {}

    /** TLS with a context. */
    record Tls(ClientTls context) implements BackendSecurity {}
}
