package io.ballast.http.config;

import io.ballast.core.config.header.HeaderField;

/**
 * The header in which backends receive the id of a request.
 *
 * @param header the name of the header
 * @param trust the clients whose ids are kept; all other ids are replaced
 */
public record RequestIdConfig(String header, Trust trust) {

    public static final String DEFAULT_HEADER = "X-Request-Id";

    public RequestIdConfig {
        HeaderField.checkName(header);
    }

    /** The clients whose ids are trusted. */
    public enum Trust {
        NEVER,
        /** Ids from peers in the listener's {@code trusted_proxies}. */
        TRUSTED_PROXIES,
        ALWAYS
    }
}
