package io.ballast.http.exchange;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.RequestCopy;
import io.ballast.http.relay.Failure;
import io.ballast.http.trace.RequestTrace;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The client's side of an exchange: supplies the request and receives the response. Event-loop confined. */
public interface ClientSide {

    /**
     * Sends the head, and the part of the body received so far, to a backend. May be called again for another backend.
     */
    void sendRequest(BackendSide backend);

    /** Whether {@link #sendRequest} can still send the whole request again. */
    boolean canSendAgain();

    /** Whether this is the first request on the client's connection. */
    boolean isFirstRequest();

    /** The properties of the current request; always the same object. */
    RequestProperties request();

    /** Resumes reading the request body after the backend was slow. */
    void resumeRequest();

    /** The policies of the current request if one of them may change the response; null otherwise. */
    default @Nullable PolicyExchange responsePolicies() {
        return null;
    }

    /** The trace of the current request if its attempts are recorded; null otherwise. */
    default @Nullable RequestTrace recordedTrace() {
        return null;
    }

    /**
     * Returns the receiver of a copy of the current request, as sent to a backend; null if no policy copies the
     * request.
     */
    default @Nullable RequestCopy requestCopy() {
        return null;
    }

    /**
     * Forwards a 1xx response. Consumes {@code received}, which starts with the response and may contain more
     * data.
     */
    void informational(ResponseScanner head, ByteBuf received);

    /**
     * Whether an error page replaces the response of a backend. If so, {@link #intercepted} is called after the
     * exchange has ended.
     */
    default boolean intercepts(ResponseScanner head) {
        return false;
    }

    /** Answers with the error page that replaces a backend's response; the exchange has ended. */
    default void intercepted(int status) {
        throw new IllegalStateException("this client side replaces no responses");
    }

    /**
     * Forwards the head of the response.
     *
     * @param received starts with the head; the rest is body. Consumed.
     * @param bodyBytes the number of body bytes that follow the head in {@code received}
     * @param framing how the body ends
     */
    void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing);

    /**
     * Forwards the head of a response that switches to the requested protocol.
     *
     * @param received starts with the head; the rest belongs to the tunnel. Consumed.
     * @return the client's end of the tunnel; idle until {@link TunnelSide#tunnelBegins}
     */
    TunnelSide tunnel(ResponseScanner head, ByteBuf received);

    /**
     * Whether the protocol itself marks the end of a body, as HTTP/2 does. A body of unknown length then needs
     * no chunked coding. The caller may pass such a body with or without chunked coding.
     */
    default boolean framesBodies() {
        return false;
    }

    /** Forwards the trailer lines of a body that was not chunked; called before {@link #responseEnd}. */
    default void responseTrailers(byte[] lines) {}

    /** Forwards a part of the response body; consumes {@code data}. */
    void responseBody(ByteBuf data);

    /** Flushes everything written to the client so far. */
    void flush();

    /** Whether the client accepts more of a response without excessive queueing. */
    boolean isWritable();

    /** Called when the response is complete. */
    void responseEnd();

    /**
     * Answers with the failure's status, or closes the connection if a response has begun. No other response follows.
     */
    void fail(Failure failure);
}
