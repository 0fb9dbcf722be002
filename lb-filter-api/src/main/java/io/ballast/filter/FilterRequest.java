package io.ballast.filter;

import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;

/** A request from a client. Immutable; a filter may keep it after the call. */
public interface FilterRequest {

    /** The method, such as {@code GET}. */
    String method();

    /**
     * The path as the client sent it, without the query. Paths that differ in spelling may mean the same resource:
     * compare {@link #normalPath} for access decisions.
     */
    String path();

    /**
     * The path in the form that routes compare: {@code .} and {@code ..} segments are resolved, unreserved characters
     * are decoded, and repeated slashes are merged.
     */
    String normalPath();

    /** The query as the client sent it, without {@code ?}; empty if there is none. */
    Optional<String> query();

    /** The host that the client requested, without port and in lower case; empty in HTTP/1.0 without {@code Host}. */
    Optional<String> host();

    /**
     * The headers of the request. Headers that earlier policies add for the backend are included. Headers from the
     * client that only a policy may set are excluded. The header rules of listeners and routes have not been applied.
     */
    FilterHeaders headers();

    /** The address of the client, or the address that a trusted proxy reports; empty for a client of a Unix socket. */
    Optional<InetAddress> client();

    /** The name in the TLS handshake (SNI); empty without TLS or without a name. */
    Optional<String> tlsServerName();

    /** The name of the user, key owner or subject that a policy has authenticated; empty for none. */
    Optional<String> identity();

    /** Attributes of the {@link #identity}, such as the claims of a JSON Web Token. */
    Map<String, String> claims();

    /** The body, up to the length that {@link Filter#requestBody} requests; {@link FilterBody#EMPTY} for none. */
    FilterBody body();
}
