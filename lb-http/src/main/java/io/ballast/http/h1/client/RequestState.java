package io.ballast.http.h1.client;

import io.ballast.http.exchange.BodyFraming;
import io.ballast.http.h1.wire.BodyReader;
import io.ballast.http.h1.wire.Method;
import io.ballast.http.h1.wire.RequestScanner;
import io.ballast.http.route.PathRewriter;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a client connection remembers of the request that it serves, besides where its body ends. One object serves all
 * requests of a connection, one after the other. Event-loop confined.
 */
final class RequestState {

    final BodyReader body = new BodyReader();
    final SentBody sent = new SentBody();

    /** How many requests the connection has served, this one included. */
    int number;

    boolean headMethod;
    boolean idempotent;
    /** Whether it is safe and has no body, so that it can go out behind another. */
    boolean pipelinable;
    /** Whether the client knows neither chunks nor 1xx responses. */
    boolean version10;
    /** Whether the client wants the connection kept open. */
    boolean keepAlive;
    /** Whether the client got the head of a response. */
    boolean answered;
    /** Whether nothing but the end of the connection tells the client where the response ends. */
    boolean endsWithConnection;
    /** Whether that head said that the connection will be closed. */
    boolean closes;

    /** Status of the final response; 0 as long as there is none. */
    int status;
    /** How many octets the head of that response has. */
    int responseHeadBytes;

    /** How the path is changed for the backend; null if it is not. */
    @Nullable PathRewriter rewrite;

    /** The head as it came, kept until a response begins in case it must be sent again. */
    private @Nullable ByteBuf head;

    void start(RequestScanner request) {
        number++;
        headMethod = request.method == Method.HEAD;
        idempotent = request.method.isIdempotent();
        version10 = request.minorVersion == 0;
        keepAlive = request.wantsKeepAlive();
        sent.reset();
        answered = false;
        closes = false;
        endsWithConnection = false;
        rewrite = null;
        body.start(request.framing(), request.contentLength);
        pipelinable = request.method.isSafe() && body.isDone();
    }

    /** Forgets everything but that some request was at fault. */
    void startFaulty() {
        headMethod = false;
        keepAlive = false;
        answered = false;
        body.start(BodyFraming.NONE, /* length= */ 0);
    }

    /** Keeps the head; consumes it. */
    void keepHead(ByteBuf bytes) {
        head = bytes;
    }

    @Nullable ByteBuf head() {
        return head;
    }

    /** Whether the whole request, as far as it was handed over, can be sent once more. */
    boolean canBeSentAgain() {
        return head != null && sent.isWhole();
    }

    /** Octets of the request that are kept. */
    int heldBytes() {
        return sent.bytes() + (head == null ? 0 : head.readableBytes());
    }

    /** Lets go of what was kept of the request. */
    void release() {
        sent.release();
        if (head != null) {
            head.release();
            head = null;
        }
    }
}
