package io.ballast.core.config;

/**
 * The requests that may use a connection to a backend that was kept open after another request. The backend
 * may close such a connection at the moment when the next request arrives. If that request may be sent again,
 * it is sent on a new connection; any other request fails. The names are those of HAProxy's {@code
 * http-reuse}.
 */
public enum ConnectionReuse {
    /** All requests may reuse a connection. */
    ALWAYS,
    /**
     * A reused connection may serve every request except the first one of a client connection. It may also serve the
     * first one if that request may be sent again. If a reused connection breaks, clients repeat a later request
     * automatically, as they must with keep-alive (RFC 9110 section 9.2.2). For the first request, clients show an
     * error.
     */
    SAFE,
    /** Never: each request uses its own connection. */
    NEVER
}
