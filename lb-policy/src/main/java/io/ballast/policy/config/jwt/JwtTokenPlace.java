package io.ballast.policy.config.jwt;

/**
 * The part of a request that contains the token.
 *
 * @param name the name of the header or cookie; empty for {@code Authorization}
 */
public record JwtTokenPlace(Kind kind, String name) {

    /** {@code Authorization: Bearer} (RFC 6750 section 2.1). */
    public static final JwtTokenPlace AUTHORIZATION = new JwtTokenPlace(Kind.AUTHORIZATION, "");

    /** The kind of a place. */
    public enum Kind {
        AUTHORIZATION,
        /** A header whose whole value is the token. */
        HEADER,
        COOKIE
    }
}
