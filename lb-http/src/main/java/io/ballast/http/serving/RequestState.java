package io.ballast.http.serving;

import io.ballast.core.pool.Pool;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.h1.wire.BodyReader;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.route.destination.PathRewriter;
import io.ballast.http.route.destination.Route;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The state of the request that a client connection serves, and of its response. One object serves all requests of a
 * connection, in sequence. Event-loop confined.
 */
public final class RequestState implements RequestProperties {

    private final BodyReader body = new BodyReader();
    private final RetryBuffer retryBuffer = new RetryBuffer();

    private int number;
    private RequestMethod method = RequestMethod.OTHER;
    private long announcedBodyBytes;
    private boolean version10;
    private boolean keepAlive;
    private MajorVersion version = MajorVersion.HTTP_1;
    private long countedBytes;
    private long tunnelBytes;
    private @Nullable UpgradeProtocol upgrade;
    private @Nullable PathRewriter rewrite;
    private @Nullable Pool pool;
    /** The original head, kept for a retry until a response begins. */
    private @Nullable ByteBuf head;

    private boolean answered;
    private boolean endsWithConnection;
    private boolean announcesClose;
    private int status;
    private int hiddenStatus;
    private int responseHeadBytes;

    // ---- request

    /** Starts a request with a valid head. */
    public void start(RequestScanner request) {
        number++;
        method = request.method;
        version10 = request.minorVersion == 0;
        rewrite = null;
        body.start(request.framing(), request.contentLength);
        announcedBodyBytes = body.isDone() ? 0 : request.contentLength;
        retryBuffer.reset();
        reset(request.wantsKeepAlive());
    }

    /** Starts a request whose head is invalid. */
    public void startFaulty() {
        method = RequestMethod.OTHER;
        body.start(BodyFraming.NONE, /* length= */ 0);
        reset(/* wantsKeepAlive= */ false);
    }

    private void reset(boolean wantsKeepAlive) {
        keepAlive = wantsKeepAlive;
        pool = null;
        upgrade = null;
        tunnelBytes = 0;
        answered = false;
        endsWithConnection = false;
        announcesClose = false;
        status = 0;
        hiddenStatus = 0;
        responseHeadBytes = 0;
    }

    /** Sets a version of HTTP whose frames delimit the body. */
    public void setVersion(MajorVersion of) {
        version = of;
        countedBytes = 0;
        version10 = false;
    }

    /** The version of HTTP that the client uses. */
    public MajorVersion version() {
        return version;
    }

    /** Records that a request whose body length was unknown has no body. */
    public void setBodiless() {
        body.start(BodyFraming.NONE, /* length= */ 0);
        announcedBodyBytes = 0;
    }

    /** Sets the protocol that the backend is asked to switch to; null for none. */
    public void setUpgrade(@Nullable UpgradeProtocol protocol) {
        upgrade = protocol;
    }

    /** Sets the route of a request that is forwarded to a pool. */
    public void setRoute(Route.ToPool route) {
        rewrite = route.rewrite();
        pool = route.pool();
    }

    /** The number of requests on this connection, including this one. */
    public int number() {
        return number;
    }

    @Override
    public RequestMethod method() {
        return method;
    }

    @Override
    public long announcedBodyBytes() {
        return announcedBodyBytes;
    }

    @Override
    public @Nullable UpgradeProtocol upgrade() {
        return upgrade;
    }

    /** Whether the client uses HTTP/1.0, which has neither chunked coding nor 1xx responses. */
    public boolean isVersion10() {
        return version10;
    }

    @Override
    public boolean allowsUnknownLength() {
        return !version10;
    }

    /** Whether the client wants the connection kept open. */
    public boolean wantsKeepAlive() {
        return keepAlive;
    }

    /** The path rewrite for the backend; null for none. */
    public @Nullable PathRewriter rewrite() {
        return rewrite;
    }

    /** The pool of the request; null for none. */
    @Nullable Pool pool() {
        return pool;
    }

    /** Returns the reader that finds the end of an HTTP/1.1 body. */
    public BodyReader body() {
        return body;
    }

    /** Counts body bytes of a protocol that {@link BodyReader} does not read. */
    public void bodyReceived(int bytes) {
        countedBytes += bytes;
    }

    /** The number of body bytes received. */
    long bodyBytes() {
        return version.framesBodies() ? countedBytes : body.consumedBytes();
    }

    /** Counts bytes that the client has sent through the tunnel. */
    public void tunnelReceived(int bytes) {
        tunnelBytes += bytes;
    }

    /** Whether the response has made the connection, or the stream, a tunnel. */
    boolean isTunnel() {
        return upgrade != null && status() == (version.framesBodies() ? 200 : 101);
    }

    /** The number of bytes that the client has sent through the tunnel. */
    long tunnelBytes() {
        return tunnelBytes;
    }

    // ---- data kept for a retry

    public RetryBuffer retryBuffer() {
        return retryBuffer;
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

    // ---- response

    /** Records the status of the response head that is being sent: from a backend, or of a gRPC error. */
    public void answer(int code) {
        answered = true;
        status = code;
    }

    /**
     * Records how the client recognizes the end of the response.
     *
     * @param withConnection whether the response ends only when the connection closes
     * @param close whether the response head announces that the connection will close
     */
    public void setResponseEnd(boolean withConnection, boolean close) {
        endsWithConnection = withConnection;
        announcesClose = close;
    }

    /** Sets the status of a response that the balancer generates. */
    public void setStatus(int code) {
        status = code;
    }

    /** Sets the original status of an error whose error page is sent with another status. */
    void setHiddenStatus(int code) {
        hiddenStatus = code;
    }

    /**
     * The status that policies see: the status of the failure, even if the client got an error page with another
     * status.
     */
    int statusForPolicies() {
        return hiddenStatus == 0 ? status : hiddenStatus;
    }

    /** Sets the length of the final response's head in bytes. */
    public void setResponseHeadBytes(int bytes) {
        responseHeadBytes = bytes;
    }

    /** Whether the head of a backend's response, or a gRPC error, was sent. */
    public boolean isAnswered() {
        return answered;
    }

    /** Whether the response ends when the connection closes, because it has no length and is not chunked. */
    public boolean endsWithConnection() {
        return endsWithConnection;
    }

    /** Whether the response head announced the close of the connection. */
    public boolean announcesClose() {
        return announcesClose;
    }

    /** The status of the final response; 0 until there is one. */
    int status() {
        return status;
    }

    /** The length of the final response's head in bytes. */
    public int responseHeadBytes() {
        return responseHeadBytes;
    }
}
