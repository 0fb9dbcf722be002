package io.ballast.core.config;

import java.util.Locale;

/**
 * The cross-site requests for which a browser sends a cookie (<a
 * href="https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.6.7">RFC 6265bis section
 * 5.6.7</a>).
 */
public enum SameSite {
    /** Sent when the user follows a link from another site, but not with other cross-site requests. */
    LAX("Lax"),
    /** Not sent with cross-site requests. */
    STRICT("Strict"),
    /** Sent with all requests; browsers require {@code Secure} for this value. */
    NONE("None");

    private final String attribute;

    SameSite(String attribute) {
        this.attribute = attribute;
    }

    /** The word that configuration files use. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The value of the cookie attribute {@code SameSite}. */
    public String attribute() {
        return attribute;
    }
}
