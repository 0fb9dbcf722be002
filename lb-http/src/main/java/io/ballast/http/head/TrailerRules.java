package io.ballast.http.head;

/**
 * The trailers that a request must not contain, because the balancer sets or removes headers with their names. A
 * backend that merges trailers into its headers (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9110#section-6.5.1">RFC 9110 section 6.5.1</a>) would otherwise
 * mistake the client's trailer for a header of the balancer. Immutable.
 */
@FunctionalInterface
public interface TrailerRules {

    /** Forbids nothing. */
    TrailerRules NONE = (name, length) -> false;

    /** Whether the first {@code length} bytes, in lower case and with hyphens for underscores, are a forbidden name. */
    boolean forbids(byte[] name, int length);
}
