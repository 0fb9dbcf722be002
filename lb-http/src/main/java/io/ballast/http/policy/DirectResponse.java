package io.ballast.http.policy;

import io.ballast.core.Checks;

/**
 * The policy answers the request with a response of its own, such as a redirect to a login page. No later policy, route
 * or backend sees the request. The header lines are {@link PolicyExchange#responseLines}.
 *
 * @param status the status of the response, from 200 to 599
 * @param reason the reason for the access log, such as {@code cors_preflight}
 * @param contentType the media type of the body; empty for none
 * @param body the body; must not be modified. At most 64 KiB; ignored if the status is 204 or 304, because these
 *     responses have no body
 */
@SuppressWarnings("ArrayRecordComponent") // responses are never compared
public record DirectResponse(int status, String reason, String contentType, byte[] body) implements PolicyDecision {

    /** The maximum length of a body in bytes. */
    public static final int MAX_BODY_BYTES = 65_536;

    private static final byte[] NO_BODY = {};
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    public DirectResponse {
        Checks.between(status, 200, 599, "status");
        Checks.between(body.length, 0, MAX_BODY_BYTES, "body");
        if (status == NO_CONTENT || status == NOT_MODIFIED) {
            body = NO_BODY; // the client would read a body as the next response
        }
    }

    /** Creates a response without a body. */
    public DirectResponse(int status, String reason) {
        this(status, reason, "", NO_BODY);
    }
}
