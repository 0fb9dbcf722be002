package io.ballast.http.config;

/**
 * The treatment of request headers with an underscore in their names. Backends that pass headers in environment
 * variables (CGI, FastCGI, WSGI, PHP, Rack) read it as a hyphen, so {@code X_User} is equal to {@code X-User} for them.
 *
 * <p>With every setting, a name that differs only in this way from a header that the balancer sets, removes or checks
 * is dropped.
 */
public enum Underscores {
    /** They are forwarded like others. */
    PASS,
    /** They are removed. */
    DROP,
    /** The request is answered with 400. */
    REJECT
}
