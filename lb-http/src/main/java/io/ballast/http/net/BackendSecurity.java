package io.ballast.http.net;

import io.ballast.net.tls.ClientTls;

/**
 * By what a connection to a backend is secured. That nothing is there to secure it is not the same as that nothing has to: what
 * is meant for TLS never goes out without.
 */
public sealed interface BackendSecurity {

    /** By nothing, as configured. */
    BackendSecurity PLAINTEXT = new Plaintext();

    /** By TLS that is gone with its configuration: no connection can be made. */
    BackendSecurity UNAVAILABLE = new Unavailable();

    record Plaintext() implements BackendSecurity {}

    record Unavailable() implements BackendSecurity {}

    /** By TLS. */
    record Tls(ClientTls context) implements BackendSecurity {}
}
