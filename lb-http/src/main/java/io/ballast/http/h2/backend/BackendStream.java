package io.ballast.http.h2.backend;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.Scan;
import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a backend: a stream that carries a request there and its response back. The connection uses one object for
 * several streams, one after the other, as {@link BackendStreams} says. Event-loop confined.
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
    private boolean begun;
    private boolean requestComplete;
    /** What answers the client's question if it asks for a WebSocket; null if it does not. */
    private byte @Nullable [] accept;

    private @Nullable BackendStreamTunnel tunnel;

    BackendStream(Http2BackendConnection connection) {
        this.loop = connection.loop();
        this.connection = connection;
        this.output = new StreamOutput(connection.flow(), this::resume);
        this.response = new ReceivedResponse(this, connection);
    }

    /**
     * A stream begins.
     *
     * @param onReused whether the connection had streams before
     */
    void begin(int number, int window, boolean onReused, Exchange asking) {
        id = number;
        open = true;
        exchange = asking;
        reused = onReused;
        begun = false;
        requestComplete = false;
        accept = null;
        tunnel = null;
        output.begin(number, window);
        response.begin();
    }

    int id() {
        return id;
    }

    /** The exchange that it serves; null if none wants the response any more. */
    @Nullable Exchange exchange() {
        return exchange;
    }

    /** What the exchange has become if it is a tunnel; null if it is none. */
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
        byte[] bytes = loop.bytes(headBytes + OctetBuffer.SLACK);
        head.readBytes(bytes, 0, headBytes);
        RequestScanner request = loop.request;
        if (request.scan(bytes, headBytes, Http2BackendConnection.OWN_LIMITS) != Scan.COMPLETE
                || !isSendable(request)) {
            head.release();
            output.stop();
            int stream = id;
            loop.worker.eventLoop().execute(() -> unsendable(stream)); // the caller is not done with the request
            return;
        }
        begun = true;
        if (accept == null) {
            RequestHeadEncoder.encode(request, /* isSecure= */ connection.isSecure(), loop.block);
        } else {
            ExtendedConnect.encode(request, /* isSecure= */ connection.isSecure(), loop.block);
        }
        BodyFraming body = request.chunked
                ? (inChunks ? BodyFraming.CHUNKED : BodyFraming.STREAM)
                : request.contentLength > 0 ? BodyFraming.LENGTH : BodyFraming.NONE;
        if (accept != null) {
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

    /** Whether a wish for a WebSocket, if it is one, asks what can be answered. */
    private boolean isSendable(RequestScanner request) {
        if (exchange == null || !exchange.asksForWebSocket()) {
            return true;
        }
        accept = ExtendedConnect.accept(request);
        return accept != null;
    }

    byte @Nullable [] accept() {
        return accept;
    }

    /** The head cannot be put into the other notation: what was added to it made it too long, or it has no sound key. */
    private void unsendable(int stream) {
        Exchange failed = exchange;
        if (failed != null && id == stream) {
            failed.fail(Failure.BAD_REQUEST);
        }
    }

    /** Whether the backend knows of the stream. */
    boolean isBegun() {
        return begun;
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
            response.expectBody(); // while both sides talk, each of them keeps the exchange alive
        } else if (!output.isWritable()) {
            // A backend that stops reading the request must not hold it forever.
            setDeadline(connection.settings().responseTimeout());
        }
    }

    @Override
    public void trailers(byte[] lines) {
        output.trailers(lines);
    }

    @Override
    public void requestSent() {
        requestComplete = true;
        if (accept == null) {
            output.end(); // else the stream stays open for what may become a tunnel
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
        return output.heldBytes();
    }

    private boolean resume() {
        boolean done = output.pump();
        writable();
        if (tunnel != null && exchange == null && output.isEndSent()) {
            connection.ended(this);
        }
        return done;
    }

    /** The connection takes more. */
    void writable() {
        if (tunnel != null) {
            tunnel.writable();
        } else if (exchange != null && output.isWritable() && !requestComplete) {
            if (!response.isAnswered()) {
                clearDeadline();
            }
            exchange.bodies().backendWritable();
        }
    }

    boolean windowUpdate(long increment) {
        if (!output.grow(increment)) {
            return false;
        }
        if (output.isWaiting()) {
            connection.flow().await(output);
        }
        return true;
    }

    // ---- the response

    ReceivedResponse response() {
        return response;
    }

    @Override
    public void reading(boolean on) {
        response.reading(on);
    }

    /** How long what is awaited of the backend may take from now on. */
    void setDeadline(Duration time) {
        loop.worker.setDeadline(deadline, time);
    }

    void clearDeadline() {
        loop.worker.deadlines().clear(deadline);
    }

    /** A round of reading is over: the client is sent what was passed to it, if it is still served. */
    void responsePause() {
        if (exchange != null) {
            exchange.bodies().responsePause();
        }
    }

    /** Another backend is tried instead of this response, which may have ended with its head. */
    void declined(boolean ended) {
        exchange = null;
        leave(ended);
    }

    /** The response is complete. */
    void complete() {
        Exchange finished = exchange;
        long attempt = finished == null ? 0 : finished.attempt();
        exchange = null;
        leave(/* ended= */ true);
        if (finished != null) {
            finished.finish(attempt);
        }
    }

    // ---- the tunnel

    /** The backend agrees to one. */
    BackendStreamTunnel beginTunnel() {
        clearDeadline();
        BackendStreamTunnel begun = new BackendStreamTunnel(this, output);
        tunnel = begun;
        return begun;
    }

    /** The response is an ordinary one: if the request asked for a tunnel, nothing more will be sent. */
    void tunnelRefused() {
        if (accept != null) {
            output.end();
            connection.flushSoon();
        }
    }

    /** Sends what comes through the tunnel; consumes {@code data}. */
    void pass(ByteBuf data) {
        connection.counters().add(BackendCounter.BYTES_TO, data.readableBytes());
        output.add(data);
    }

    void flush() {
        connection.flushSoon();
    }

    /** Both directions have ended; what is still to be sent may take a while. */
    void tunnelOver() {
        exchange = null;
        if (output.isEndSent()) {
            connection.ended(this);
        } else {
            setDeadline(connection.settings().bodyIdleTimeout());
        }
    }

    // ---- the end

    /** Lets go of the stream, which is reset unless both sides have ended it. */
    private void leave(boolean ended) {
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

    /** If it fails, the reason is not that its connection was idle for too long. */
    void isNotStale() {
        reused = false;
    }

    /** The backend has reset the stream and kept the connection, so that a fresh one is no better. */
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

    /** The backend leaves and has not begun with the stream: a fresh connection to it will do. */
    void leftBehind() {
        reused = true;
        fail(Failure.STREAM_REFUSED, "the backend left the connection before it began with the stream");
    }

    /**
     * The stream is over before its response is; it is not known to the connection any more, or will not be.
     *
     * @param reason in words, for the access log; empty if there is nothing to say
     */
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

    /** Lets go of what it holds. Does nothing if it did so before. */
    void release() {
        if (!open) {
            return;
        }
        open = false;
        loop.worker.deadlines().remove(deadline);
        output.stop();
        connection.flow().forget(output);
        if (tunnel == null) { // what the client's end of one still says must not reach another request
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
                failed.backendFailed(attempt, reason, /* reason= */ ""); // unless its client has left meanwhile
            }
        }
    }
}
