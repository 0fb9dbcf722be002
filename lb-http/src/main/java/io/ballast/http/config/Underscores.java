package io.ballast.http.config;

/**
 * What happens to request headers with an underscore in their names. Backends that hand headers over as environment
 * variables (CGI, FastCGI, WSGI, PHP, Rack) read it as a hyphen, so that {@code X_User} is {@code X-User} to them.
 *
 * <p>Whatever is chosen, a name that differs only in this from one that we set, remove or judge is never passed on.
 */
public enum Underscores {
    /** They are passed on like others. */
    PASS,
    /** They are left out. */
    DROP,
    /** The request is answered with 400. */
    REJECT
}
