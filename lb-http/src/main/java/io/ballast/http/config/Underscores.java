package io.ballast.http.config;

/**
 * How request headers with an underscore in their names are handled. Backends that pass headers in
 * environment variables (CGI, FastCGI, WSGI, PHP, Rack) read the underscore as a hyphen, so {@code X_User}
 * and {@code X-User} are the same header for them.
 *
 * <p>With every setting, a header is dropped if its name differs only in this way from a header that the
 * balancer sets, removes or checks.
 */
public enum Underscores {
    /** Headers with an underscore in their names are forwarded like all other headers. */
    PASS,
    /** Headers with an underscore in their names are removed. */
    DROP,
    /** A request that has a header with an underscore in its name is answered with 400. */
    REJECT
}
