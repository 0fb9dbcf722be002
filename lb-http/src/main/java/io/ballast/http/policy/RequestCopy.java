package io.ballast.http.policy;

import io.netty.buffer.ByteBuf;

/**
 * Receives a copy of one request as a backend gets it: with the rewritten path and all header changes. Buffers are valid
 * only during a call, and their indices must not be changed. The methods must not block or throw. Event-loop confined.
 */
public interface RequestCopy {

    /**
     * Called with the head in HTTP/1.1 format, for each backend that gets the request. A further call means that another
     * attempt sends the request from its start.
     *
     * @param head the head, and the first bytes of the body after it
     * @param headBytes the length of the head
     * @param inChunks whether the body has chunked coding, if the head announces a body
     */
    void head(ByteBuf head, int headBytes, boolean inChunks);

    /** Called with a part of the body. */
    void body(ByteBuf data);

    /** Called when an attempt has got the whole request; trailers that were not chunked are missing. */
    void complete();

    /** Called once at the end of the client's request, even if no backend got it. */
    void requestEnded();
}
