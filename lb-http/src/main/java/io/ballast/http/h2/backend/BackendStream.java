package io.ballast.http.h2.backend;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A stream to a backend, with the request of one attempt and its response. {@link BackendStreams} reuses the object for
 * later streams. Event-loop confined.
 */
final class BackendStream implements BackendSide {

    private final Http2Backends loop;
    private final Http2BackendConnection connection;
    private final StreamOutput output;
    private final ReceivedResponse response;
    private final Deadline deadline = new Deadline();

    private int id;
    private boolean open;
    private @Nullable Exchange exchange;
    private boolean reused;
    private boolean started;
    private boolean requestComplete;
    /** The {@code Sec-WebSocket-Accept} value to send to the client; null if the client did not request a WebSocket. */
    private byte @Nullable [] webSocketAccept;

    private @Nullable BackendStreamTunnel tunnel;

    BackendStream(Http2BackendConnection connection) {
        this.loop = connection.loop();
        this.connection = connection;
        this.output = new StreamOutput(connection.flow(), this::resume);
        this.response = new ReceivedResponse(this, connection);
    }

    /** Starts a stream. */
    void begin(int number, int window, boolean onReused, Exchange exchange) {
        id = number;
        open = true;
        this.exchange = exchange;
        reused = onReused;
        started = false;
        requestComplete = false;
        webSocketAccept = null;
        tunnel = null;
        output.begin(number, window);
        response.begin();
    }

    int id() {
        return id;
    }

    /** The exchange; null if it no longer needs the response. */
    @Nullable Exchange exchange() {
        return exchange;
    }

    /** The tunnel; null if the exchange is not a tunnel. */
    @Nullable BackendStreamTunnel tunnel() {
        return tunnel;
    }

    // ---- the request

    @Override
    public boolean isReused() {
        return reused;
    }

    @Override
    public boolean framesBodies() {
        return true;
    }

    @Override
    public void sendHead(ByteBuf head, int headBytes, boolean inChunks) {
        byte[] bytes = loop.bytes(headBytes + ByteAppender.SLACK);
        head.readBytes(bytes, 0, headBytes);
        RequestScanner request = loop.request;
        if (request.scan(bytes, headBytes, Http2BackendConnection.OWN_LIMITS) != ScanResult.COMPLETE
                || !isSendable(request)) {
            head.release();
            output.stop();
            int stream = id;
            // runs later, because the caller still uses the request
            loop.worker.eventLoop().execute(() -> failUnsendable(stream));
            return;
        }
        started = true;
        if (webSocketAccept == null) {
            RequestHeadEncoder.encode(request, /* isSecure= */ connection.isSecure(), loop.block);
        } else {
            ExtendedConnect.encode(request, /* isSecure= */ connection.isSecure(), loop.block);
        }
        BodyFraming body = request.chunked
                ? (inChunks ? BodyFraming.CHUNKED : BodyFraming.STREAM)
                : request.contentLength > 0 ? BodyFraming.LENGTH : BodyFraming.NONE;
        if (webSocketAccept != null) {
            body = BodyFraming.STREAM;
        }
        connection.counters().add(BackendCounter.BYTES_TO, headBytes);
        output.head(loop.block, body, request.contentLength);
        if (head.isReadable()) {
            send(head);
        } else {
            head.release();
        }
        connection.flushSoon();
    }

    /** Whether the request can be sent; false for a WebSocket request without a valid key. */
    private boolean isSendable(RequestScanner request) {
        if (exchange == null || !exchange.request().isWebSocket()) {
            return true;
        }
        webSocketAccept = ExtendedConnect.webSocketAccept(request);
        return webSocketAccept != null;
    }

    byte @Nullable [] webSocketAccept() {
        return webSocketAccept;
    }

    /** Fails the exchange because the composed head is too long or has no valid WebSocket key. */
    private void failUnsendable(int stream) {
        Exchange failed = exchange;
        if (failed != null && id == stream) {
            failed.fail(Failure.BAD_REQUEST);
        }
    }

    /** Whether the request head was sent. */
    boolean isStarted() {
        return started;
    }

    @Override
    public void send(ByteBuf data) {
        connection.counters().add(BackendCounter.BYTES_TO, data.readableBytes());
        output.add(data);
        connection.flushSoon();
        if (requestComplete) {
            return;
        }
        if (response.isAnswered()) {
            response.expectBody(); // while both sides send, progress of either side extends the deadline
        } else if (!output.isWritable()) {
            // A backend that stops reading must not block the exchange forever.
            setDeadline(connection.settings().responseTimeout());
        }
    }

    @Override
    public void sendTrailers(byte[] lines) {
        output.trailers(lines);
    }

    @Override
    public void endRequest() {
        requestComplete = true;
        if (webSocketAccept == null) {
            output.end(); // a WebSocket stream stays open for the tunnel
        }
        connection.flushSoon();
        if (!response.isAnswered() && exchange != null) {
            setDeadline(exchange.responseTimeout());
        }
    }

    @Override
    public boolean isWritable() {
        return output.isWritable();
    }

    @Override
    public long pendingBytes() {
        return output.bufferedBytes();
    }

    private boolean resume() {
        boolean done = output.pump();
        writable();
        if (tunnel != null && exchange == null && output.isEndSent()) {
            connection.ended(this);
        }
        return done;
    }

    /** Called when the connection is writable again. */
    void writable() {
        if (tunnel != null) {
            tunnel.writable();
        } else if (exchange != null && output.isWritable() && !requestComplete) {
            if (!response.isAnswered()) {
                clearDeadline();
            }
            exchange.backendWritable();
        }
    }

    boolean windowUpdate(long increment) {
        if (!output.grow(increment)) {
            return false;
        }
        if (output.isWaiting()) {
            connection.flow().enqueue(output);
        }
        return true;
    }

    // ---- the response

    ReceivedResponse response() {
        return response;
    }

    @Override
    public void setReading(boolean on) {
        response.setReading(on);
    }

    /** Sets the deadline for the backend to make progress. */
    void setDeadline(Duration time) {
        loop.worker.setDeadline(deadline, time);
    }

    void clearDeadline() {
        loop.worker.deadlines().clear(deadline);
    }

    /** Flushes forwarded data to the client when a read loop on the backend connection ends. */
    void responseReadComplete() {
        if (exchange != null) {
            exchange.flushResponse();
        }
    }

    /**
     * Discards the response, because another backend is tried or an error page replaces it. {@code ended} is true if
     * the response had no body.
     */
    void declined(boolean ended) {
        exchange = null;
        endStream(ended);
    }

    /** Called when the response is complete. */
    void complete() {
        Exchange finished = exchange;
        long attempt = finished == null ? 0 : finished.attempt();
        exchange = null;
        endStream(/* ended= */ true);
        if (finished != null) {
            finished.finish(attempt);
        }
    }

    // ---- the tunnel

    /** Starts the tunnel that the backend has accepted. */
    BackendStreamTunnel beginTunnel() {
        clearDeadline();
        BackendStreamTunnel started = new BackendStreamTunnel(this, output);
        tunnel = started;
        return started;
    }

    /** Ends the request stream of a tunnel request that the backend answered with an ordinary response. */
    void tunnelRefused() {
        if (webSocketAccept != null) {
            output.end();
            connection.flushSoon();
        }
    }

    /** Sends tunnel data; takes ownership. */
    void sendTunnelData(ByteBuf data) {
        connection.counters().add(BackendCounter.BYTES_TO, data.readableBytes());
        output.add(data);
    }

    void flush() {
        connection.flushSoon();
    }

    /** Called when both directions of the tunnel have ended; queued data may still be sent. */
    void tunnelEnded() {
        exchange = null;
        if (output.isEndSent()) {
            connection.ended(this);
        } else {
            setDeadline(connection.settings().bodyIdleTimeout());
        }
    }

    // ---- end of the stream

    /** Removes the stream from the connection, and resets it unless both sides have ended it. */
    private void endStream(boolean ended) {
        if (ended && requestComplete && output.isEndSent()) {
            connection.ended(this);
        } else {
            connection.cancel(this);
        }
    }

    @Override
    public void abort() {
        exchange = null;
        connection.cancel(this);
    }

    /** Ensures that a later failure of this stream is not attributed to a stale connection. */
    void markNotStale() {
        reused = false;
    }

    /**
     * Called when the backend has reset the stream but kept the connection. A retry on a new connection would not
     * help in this case.
     */
    void reset(int code) {
        reused = false;
        if (tunnel != null && tunnel.isInputEnded()) {
            release();
            exchange = null;
            tunnel.refused();
            return;
        }
        boolean refused = code == ErrorCode.REFUSED_STREAM.ordinal();
        fail(
                refused ? Failure.STREAM_REFUSED : Failure.RESET_BEFORE_RESPONSE,
                "the backend reset the stream: " + ErrorCode.name(code));
    }

    /** Called when the backend sent GOAWAY and did not process the stream; the retry uses a new connection. */
    void failUnprocessed() {
        reused = true;
        fail(Failure.STREAM_REFUSED, "the backend closed the connection before it processed the stream");
    }

    /** Fails the stream before its response is complete. The caller removes it from the connection. */
    void fail(Failure failure, String reason) {
        Exchange failed = exchange;
        long attempt = failed == null ? 0 : failed.attempt();
        exchange = null;
        release();
        if (failed != null) {
            failed.backendFailed(
                    attempt,
                    response.isAnswered() && failure != Failure.BAD_RESPONSE ? Failure.RESPONSE_CUT : failure,
                    reason);
        }
    }

    /** Releases the resources of the stream. Further calls have no effect. */
    void release() {
        if (!open) {
            return;
        }
        open = false;
        loop.worker.deadlines().remove(deadline);
        output.stop();
        connection.flow().dequeue(output);
        if (tunnel == null) { // a stream with a tunnel is not reused, because late data must not reach another request
            connection.streams().recycle(this);
        }
    }

    private Failure timeout() {
        if (!response.isAnswered()) {
            return Failure.RESPONSE_TIMEOUT;
        }
        return requestComplete ? Failure.RESPONSE_CUT : Failure.STREAM_IDLE;
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            Exchange failed = exchange;
            long attempt = failed == null ? 0 : failed.attempt();
            Failure reason = timeout();
            exchange = null;
            connection.timedOut(BackendStream.this);
            if (failed != null) {
                failed.backendFailed(attempt, reason, /* reason= */ ""); // no effect if the client has disconnected
            }
        }
    }
}
