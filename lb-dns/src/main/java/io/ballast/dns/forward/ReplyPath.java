package io.ballast.dns.forward;

import org.jspecify.annotations.Nullable;

/**
 * The way back to a client whose query is answered later: through the socket, connection or stream on which it came.
 *
 * <p>Thread safety: any thread may call it, once.
 */
public interface ReplyPath {

    /**
     * Sends a response. It is lost without a trace but a counter if the client, its connection or the listener is gone by then.
     *
     * @param response whose first {@code length} octets are copied before this returns
     */
    void send(byte[] response, int length);

    /**
     * Like {@link #send}, where others are to follow soon: it may wait for what is returned.
     *
     * @return sends what waits, from any thread, and is to be run soon; null if nothing waits
     */
    default @Nullable Runnable sendSoon(byte[] response, int length) {
        send(response, length);
        return null;
    }
}
