package io.ballast.http.serving;

import io.ballast.core.pool.Pool;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.h1.wire.BodyReader;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.route.destination.PathRewriter;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The state of the request that a client connection serves. One object serves all requests of a connection, in
 * sequence. Event-loop confined.
 */
public final class RequestState implements RequestProperties {

    public final BodyReader body = new BodyReader();
    public final RetryBuffer retryBuffer = new RetryBuffer();

    /** The number of requests on this connection, including this one. */
    public int number;

    private RequestMethod method = RequestMethod.OTHER;
    /** The length of the body in bytes; negative if unknown. */
    private long announcedBodyBytes;
    /** Whether the client uses HTTP/1.0, which has neither chunked coding nor 1xx responses. */
    public boolean version10;
    /** Whether the client wants the connection kept open. */
    public boolean keepAlive;
    /** Whether the head of a response was sent. */
    public boolean answered;
    /** Whether only the end of the connection marks the end of the response. */
    public boolean endsWithConnection;
    /** Whether the response head announced the close of the connection. */
    public boolean announcesClose;

    /** The status of the final response; 0 until there is one. */
    public int status;
    /** The length of the final response's head in bytes. */
    public int responseHeadBytes;

    /** The protocol that the backend is asked to switch to; null for none. */
    public @Nullable UpgradeProtocol upgrade;
    /** The number of bytes that the client has sent through the tunnel. */
    public long tunnelBytes;

    /** The path rewrite for the backend; null for none. */
    public @Nullable PathRewriter rewrite;

    /** The pool of the request; null for none or if not known yet. */
    private @Nullable Pool pool;

    private boolean http2;
    private long countedBytes;

    /** The original head, kept for a retry until a response begins. */
    private @Nullable ByteBuf head;

    public void start(RequestScanner request) {
        number++;
        method = request.method;
        version10 = request.minorVersion == 0;
        keepAlive = request.wantsKeepAlive();
        retryBuffer.reset();
        answered = false;
        announcesClose = false;
        endsWithConnection = false;
        rewrite = null;
        pool = null;
        upgrade = null;
        tunnelBytes = 0;
        body.start(request.framing(), request.contentLength);
        announcedBodyBytes = body.isDone() ? 0 : request.contentLength; // negative if unknown
    }

    /** Records that a request whose body length was unknown has no body. */
    public void setBodiless() {
        body.start(BodyFraming.NONE, /* length= */ 0);
        announcedBodyBytes = 0;
    }

    /** Resets the state for a request whose head is invalid. */
    public void startFaulty() {
        method = RequestMethod.OTHER;
        keepAlive = false;
        answered = false;
        pool = null;
        upgrade = null;
        tunnelBytes = 0;
        body.start(BodyFraming.NONE, /* length= */ 0);
    }

    /** Marks the request as HTTP/2, whose frames delimit the body. */
    public void http2() {
        http2 = true;
        countedBytes = 0;
        version10 = false;
    }

    public boolean isHttp2() {
        return http2;
    }

    /** Counts body bytes of a protocol that {@link BodyReader} does not read. */
    public void bodyReceived(int bytes) {
        countedBytes += bytes;
    }

    /** The number of body bytes received. */
    long bodyBytes() {
        return http2 ? countedBytes : body.consumedBytes();
    }

    /** Sets the pool of the request. */
    public void setPool(Pool target) {
        pool = target;
    }

    /** The pool of the request; null for none. */
    @Nullable Pool pool() {
        return pool;
    }

    public RetryBuffer retryBuffer() {
        return retryBuffer;
    }

    public void rewrite(@Nullable PathRewriter rewriter) {
        rewrite = rewriter;
    }

    public @Nullable PathRewriter rewrite() {
        return rewrite;
    }

    /** Sets the protocol that the backend is asked to switch to; null for none. */
    public void upgrade(@Nullable UpgradeProtocol protocol) {
        upgrade = protocol;
    }

    @Override
    public @Nullable UpgradeProtocol upgrade() {
        return upgrade;
    }

    @Override
    public RequestMethod method() {
        return method;
    }

    @Override
    public long announcedBodyBytes() {
        return announcedBodyBytes;
    }

    public boolean isAnswered() {
        return answered;
    }

    /** Records that the head of a response with this status is sent. */
    public void answered(int code) {
        answered = true;
        status = code;
    }

    /** Sets the length of the response head in bytes. */
    public void responseHead(int bytes) {
        responseHeadBytes = bytes;
    }

    public int responseHeadBytes() {
        return responseHeadBytes;
    }

    /** Stores the head for a retry; consumes it. */
    public void storeHead(ByteBuf bytes) {
        head = bytes;
    }

    public @Nullable ByteBuf head() {
        return head;
    }

    /** Whether all parts of the request sent so far can be sent again. */
    public boolean canBeSentAgain() {
        return head != null && retryBuffer.isComplete();
    }

    /** The number of buffered request bytes. */
    public int bufferedBytes() {
        return retryBuffer.bytes() + (head == null ? 0 : head.readableBytes());
    }

    /** Releases the buffered parts of the request. */
    public void release() {
        retryBuffer.release();
        if (head != null) {
            head.release();
            head = null;
        }
    }
}
