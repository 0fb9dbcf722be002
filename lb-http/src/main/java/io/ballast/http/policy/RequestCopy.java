package io.ballast.http.policy;

import io.netty.buffer.ByteBuf;

/**
 * Receives a copy of one request in the form that is sent to a backend: with the rewritten path and all header changes.
 * Buffers are valid only during a call, and their indices must not be changed. The methods must not block or throw.
 * Event-loop confined.
 */
public interface RequestCopy {

    /**
     * Called with the head in HTTP/1.1 format, for each backend to which the request is sent. A further call means that
     * another attempt sends the request from its start.
     *
     * @param head the head, and the first bytes of the body after it
     * @param headBytes the length of the head
     * @param inChunks whether the body has chunked coding, if the head announces a body
     */
    void head(ByteBuf head, int headBytes, boolean inChunks);

    /** Called with a part of the body. */
    void body(ByteBuf data);

    /** Called when the whole request was sent. The trailers of a body without chunked coding are not copied. */
    void complete();

    /** Called once at the end of the client's request, even if it was sent to no backend. */
    void requestEnded();
}
