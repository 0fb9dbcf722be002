package io.ballast.http.exchange;

import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.UpgradeProtocol;
import org.jspecify.annotations.Nullable;

/** The properties of a request that decide how it is sent, and whether it may be repeated. Event-loop confined. */
public interface RequestProperties {

    RequestMethod method();

    /** The length of the body in bytes, 0 for no body; negative if unknown. */
    long announcedBodyBytes();

    /** The protocol that the request asks the backend to switch to; null for none. */
    @Nullable UpgradeProtocol upgrade();

    /** Whether this is a HEAD request, whose response has no body regardless of the response head. */
    default boolean isHead() {
        return method() == RequestMethod.HEAD;
    }

    /** Whether the response may have a body of unknown length without ending the connection. */
    default boolean allowsUnknownLength() {
        return true;
    }

    /**
     * Whether the request is safe (RFC 9110 section 9.2.1) and has no body, so that it may be pipelined after
     * another request.
     */
    default boolean isPipelinable() {
        return method().isSafe() && announcedBodyBytes() == 0 && upgrade() == null;
    }

    /** Whether the request asks the backend for a WebSocket. */
    default boolean isWebSocket() {
        UpgradeProtocol protocol = upgrade();
        return protocol != null && protocol.isWebSocket();
    }
}
