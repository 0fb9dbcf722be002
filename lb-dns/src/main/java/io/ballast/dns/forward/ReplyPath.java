package io.ballast.dns.forward;

import org.jspecify.annotations.Nullable;

/**
 * The way back to a client whose query is answered later: through the socket, connection or stream on which it came.
 *
 * <p>Thread safety: any thread may call it, one at a time; the last call is {@link #send}, once.
 */
public interface ReplyPath {

    /**
     * Sends a response, or the last part of one. It is lost without a trace but a counter if the client, its connection or the listener
     * is gone by then.
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

    /**
     * Sends one message of a response of several, behind which others come: on a connection that carries messages one behind the other.
     *
     * @param response whose first {@code length} octets are copied before this returns
     * @param next told, once, when the client takes more, or that it is gone; only then may the next message be sent
     * @throws UnsupportedOperationException if a response is one message there
     */
    default void sendPart(byte[] response, int length, NextPart next) {
        throw new UnsupportedOperationException("a response of several messages where each is one");
    }
}
