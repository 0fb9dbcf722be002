package io.ballast.http.exchange;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;

/** A client's request and the way of its response, as an exchange uses them. Event-loop confined. */
public interface ClientSide {

    /** Sends the head, and what is there of the body, to a backend. May be called again for another one. */
    void sendRequest(BackendSide backend);

    /** Whether {@link #sendRequest} could still send the whole request once more. */
    boolean canSendAgain();

    /** Whether no request came before this one on the client's connection. */
    boolean isFirstRequest();

    /** How long the request's body will be; negative if that is not known. */
    long announcedBodyBytes();

    /** Resumes reading the request body after the backend was slow. */
    void resumeRequest();

    /** Passes on a 1xx response; consumes {@code received}, which holds it and maybe more. */
    void informational(ResponseScanner head, ByteBuf received);

    /**
     * Passes on the head of the response.
     *
     * @param received starts with the head; what follows is body. Consumed.
     * @param bodyBytes how many octets of body follow the head in {@code received}
     * @param framing how the body ends
     */
    void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing);

    /**
     * Passes on the head of a response that switches to the protocol which the request asked for.
     *
     * @param received starts with the head; what follows belongs to the tunnel. Consumed.
     * @return the client's end of the tunnel, which begins when it is told so
     */
    TunnelSide tunnel(ResponseScanner head, ByteBuf received);

    /**
     * Whether its protocol tells where a body ends, so that one of unknown length needs no chunks. If it does, a body may be
     * given either way.
     */
    default boolean framesBodies() {
        return false;
    }

    /** The lines of the trailers of a body that was not given in chunks; before {@link #responseEnd}. */
    default void responseTrailers(byte[] lines) {}

    /** Passes on a part of the response body; consumes {@code data}. */
    void responseBody(ByteBuf data);

    /** Sends what was passed on so far on its way. */
    void flush();

    /** Whether more of a response can be passed on without piling up. */
    boolean isWritable();

    /** The response is complete. */
    void responseEnd();

    /** No response will come: answers with the failure's status, or cuts the connection if a response has begun. */
    void fail(Failure failure);
}
