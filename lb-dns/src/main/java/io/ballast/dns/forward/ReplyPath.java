package io.ballast.dns.forward;

import org.jspecify.annotations.Nullable;

/**
 * The path to a client whose query is answered later: the socket, connection or stream that received the
 * query.
 *
 * <p>Thread safety: any thread may call it, but only one at a time. {@link #send} is called exactly once, as
 * the last call.
 */
public interface ReplyPath {

    /**
     * Sends a response, or the last part of one. If the client, its connection or the listener is gone, the response is
     * dropped and counted.
     *
     * @param response array whose first {@code length} bytes are the response; they are copied before this method
     *     returns
     */
    void send(byte[] response, int length);

    /**
     * Like {@link #send}, but the response may be buffered, because the caller will soon send more responses.
     *
     * @return task that sends the buffered responses and must run soon, on any thread; null if nothing is buffered
     */
    default @Nullable Runnable sendBuffered(byte[] response, int length) {
        send(response, length);
        return null;
    }

    /**
     * Sends one message of a response that consists of several messages. Requires a connection with length-prefixed
     * messages.
     *
     * @param response array whose first {@code length} bytes are the message; they are copied before this method
     *     returns
     * @param next callback that is called once, when the next message can be sent or when the client has disconnected
     * @throws UnsupportedOperationException if the transport supports single messages only
     */
    default void sendPart(byte[] response, int length, NextPart next) {
        throw new UnsupportedOperationException("responses that consist of several messages are not supported here");
    }
}
