package io.ballast.policy.config;

/**
 * A part of a request; requests with the same value share a counter.
 *
 * @param name the name of the header, cookie or claim; empty for other sources
 */
public record LimitKey(Source source, String name) {

    /** The key of a limit by client address. */
    public static final LimitKey CLIENT = new LimitKey(Source.CLIENT, "");

    /** The source of a key. */
    public enum Source {
        /** The client's address; the network of an IPv6 address. */
        CLIENT,
        /** The route: each route has its own counter. */
        ROUTE,
        HOST,
        PATH,
        HEADER,
        COOKIE,
        /** The identity that an authentication policy has verified. */
        IDENTITY,
        /** A claim of the identity, such as a claim of a JSON Web Token. */
        CLAIM,
        /** The subject of the client's certificate. */
        TLS_SUBJECT
    }
}
