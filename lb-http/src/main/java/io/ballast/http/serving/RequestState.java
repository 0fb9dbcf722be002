package io.ballast.http.serving;

import io.ballast.core.pool.Pool;
import io.ballast.http.h1.wire.BodyReader;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.Method;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.route.destination.PathRewriter;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a client connection remembers of the request that it serves, besides where its body ends. One object serves all
 * requests of a connection, one after the other. Event-loop confined.
 */
public final class RequestState {

    public final BodyReader body = new BodyReader();
    public final SentBody sent = new SentBody();

    /** How many requests the connection has served, this one included. */
    public int number;

    public boolean headMethod;
    public boolean idempotent;
    /** Whether it is safe and has no body, so that it can go out behind another. */
    public boolean pipelinable;
    /** How long the body will be; negative if that is not known. */
    private long announcedBodyBytes;
    /** Whether the client knows neither chunks nor 1xx responses. */
    public boolean version10;
    /** Whether the client wants the connection kept open. */
    public boolean keepAlive;
    /** Whether the client got the head of a response. */
    public boolean answered;
    /** Whether nothing but the end of the connection tells the client where the response ends. */
    public boolean endsWithConnection;
    /** Whether that head said that the connection will be closed. */
    public boolean closes;

    /** Status of the final response; 0 as long as there is none. */
    public int status;
    /** How many octets the head of that response has. */
    public int responseHeadBytes;

    /** The protocol that the backend is asked to switch to; null if it is asked for none. */
    public @Nullable UpgradeProtocol upgrade;
    /** How many octets came from the client through the tunnel. */
    public long tunnelBytes;

    /** How the path is changed for the backend; null if it is not. */
    public @Nullable PathRewriter rewrite;

    /** Where the request goes; null if to no pool, or if that is not known yet. */
    private @Nullable Pool pool;

    private boolean http2;
    private long countedBytes;

    /** The head as it came, kept until a response begins in case it must be sent again. */
    private @Nullable ByteBuf head;

    public void start(RequestScanner request) {
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
        pool = null;
        upgrade = null;
        tunnelBytes = 0;
        body.start(request.framing(), request.contentLength);
        pipelinable = request.method.isSafe() && body.isDone();
        announcedBodyBytes = body.isDone() ? 0 : request.contentLength; // which is negative where there is none
    }

    /** The body that the head left open has turned out to be none. */
    public void hasNoBody(RequestScanner request) {
        body.start(BodyFraming.NONE, /* length= */ 0);
        pipelinable = request.method.isSafe();
        announcedBodyBytes = 0;
    }

    /** Forgets everything but that some request was at fault. */
    public void startFaulty() {
        headMethod = false;
        keepAlive = false;
        answered = false;
        pool = null;
        upgrade = null;
        tunnelBytes = 0;
        body.start(BodyFraming.NONE, /* length= */ 0);
    }

    /** The request came by HTTP/2, which tells the end of its body otherwise. */
    public void http2() {
        http2 = true;
        countedBytes = 0;
        version10 = false;
    }

    public boolean isHttp2() {
        return http2;
    }

    /** So many octets of the body came, for a protocol that {@link BodyReader} does not read. */
    public void bodyReceived(int bytes) {
        countedBytes += bytes;
    }

    /** Octets of the body that came. */
    long bodyBytes() {
        return http2 ? countedBytes : body.taken();
    }

    /** The request goes to a pool. */
    public void goesTo(Pool target) {
        pool = target;
    }

    /** Where it goes; null if to no pool. */
    @Nullable Pool pool() {
        return pool;
    }

    public SentBody sent() {
        return sent;
    }

    public void rewrite(@Nullable PathRewriter rewriter) {
        rewrite = rewriter;
    }

    public @Nullable PathRewriter rewrite() {
        return rewrite;
    }

    /** The protocol that the backend is asked to switch to; null if it is asked for none. */
    public void upgrade(@Nullable UpgradeProtocol protocol) {
        upgrade = protocol;
    }

    public @Nullable UpgradeProtocol upgrade() {
        return upgrade;
    }

    public boolean isIdempotent() {
        return idempotent;
    }

    public boolean isHeadMethod() {
        return headMethod;
    }

    public boolean isPipelinable() {
        return pipelinable;
    }

    public long announcedBodyBytes() {
        return announcedBodyBytes;
    }

    public boolean isAnswered() {
        return answered;
    }

    /** The client gets the head of a response with this status. */
    public void answered(int code) {
        answered = true;
        status = code;
    }

    /** How many octets that head has. */
    public void responseHead(int bytes) {
        responseHeadBytes = bytes;
    }

    public int responseHeadBytes() {
        return responseHeadBytes;
    }

    /** Keeps the head; consumes it. */
    public void keepHead(ByteBuf bytes) {
        head = bytes;
    }

    public @Nullable ByteBuf head() {
        return head;
    }

    /** Whether the whole request, as far as it was handed over, can be sent once more. */
    public boolean canBeSentAgain() {
        return head != null && sent.isWhole();
    }

    /** Octets of the request that are kept. */
    public int heldBytes() {
        return sent.bytes() + (head == null ? 0 : head.readableBytes());
    }

    /** Lets go of what was kept of the request. */
    public void release() {
        sent.release();
        if (head != null) {
            head.release();
            head = null;
        }
    }
}
