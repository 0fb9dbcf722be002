package io.ballast.http.net;

import io.ballast.net.tls.ClientTls;

/**
 * The TLS settings of a connection to a backend. They distinguish configured plaintext from unavailable TLS,
 * so that a connection that requires TLS is never made without TLS.
 */
public sealed interface BackendSecurity {

    /** Plaintext, as configured. */
    BackendSecurity PLAINTEXT = new Plaintext();

    /** TLS whose configuration has been removed: no connection can be made. */
    BackendSecurity UNAVAILABLE = new Unavailable();

    record Plaintext() implements BackendSecurity {}

    record Unavailable() implements BackendSecurity {}

    /** TLS with the settings in {@code context}. */
    record Tls(ClientTls context) implements BackendSecurity {}
}
