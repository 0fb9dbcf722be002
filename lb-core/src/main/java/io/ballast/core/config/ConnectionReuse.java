package io.ballast.core.config;

/**
 * Which requests may use a connection to a backend that was kept open after another request. The backend may close such
 * a connection just as it gets the next request. A request that may be sent again goes out on a fresh connection then;
 * any other fails. The names are those of HAProxy's {@code http-reuse}.
 */
public enum ConnectionReuse {
    /** All requests. */
    ALWAYS,
    /**
     * All but the first one of a client connection, unless it may be sent again. Clients repeat a later request by
     * themselves if the connection breaks, as they have to with keep-alive (RFC 9110 section 9.2.2); they show an error
     * for the first one.
     */
    SAFE,
    /** Never: each request uses its own connection. */
    NEVER
}
