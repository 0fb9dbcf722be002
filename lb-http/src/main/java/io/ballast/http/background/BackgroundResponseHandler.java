package io.ballast.http.background;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.netty.buffer.ByteBuf;

/**
 * Receives the response to a background request. For a complete response, {@link #head} is called once, {@link #body}
 * any number of times, and {@link #end} once. If the request fails, {@link #failed} is called instead of the remaining
 * methods. Responses with a 1xx status and trailers are not passed on.
 *
 * <p>All methods are called on the event loop of the request. They must not block or throw.
 */
public interface BackgroundResponseHandler {

    /**
     * Called with the head of the response, in HTTP/1.1 format.
     *
     * <p>The lines that describe the connection and the coding of the transfer, such as {@code Transfer-Encoding}, are
     * still in the head, but the body is passed on without chunked coding.
     *
     * @param head the scanned head, valid only during the call
     * @param bytes exactly the bytes of the head, valid only during the call
     * @param framing how the body ends; after {@link BodyFraming#UNTIL_CLOSE}, a truncated body cannot be distinguished
     *     from a complete one
     */
    void head(ResponseScanner head, ByteBuf bytes, BodyFraming framing);

    /**
     * Called with a part of the body, which is not empty.
     *
     * @param data valid only during the call; the handler copies or retains it
     */
    void body(ByteBuf data);

    /** Called when the response is complete. */
    void end();

    /** Called instead of the rest of the response. */
    void failed(BackgroundFailure failure);
}
