package io.ballast.http.h2.backend;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h1.wire.ChunkSize;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.Octets;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.Scan;
import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a backend: a stream that carries a request there and its response back. The connection uses one object for
 * several streams, one after the other, as {@link BackendStreams} says. Event-loop confined.
 */
final class BackendStream implements BackendSide {

    private static final byte[] CRLF = Octets.ascii("\r\n");
    private static final byte[] LAST_CHUNK = Octets.ascii("0\r\n");
    /** The line with the size and the line end behind the data; or the last chunk and the empty line. */
    private static final int CHUNK_OVERHEAD = ChunkSize.MOST_BYTES + 2;

    private static final long UNKNOWN = -1;

    private final Http2Backends loop;
    private final Http2BackendConnection connection;
    private final StreamOutput output;
    private final Deadline deadline = new Deadline();

    private int id;
    private boolean open;
    private @Nullable Exchange exchange;
    private boolean reused;
    private boolean begun;
    private BodyFraming framing = BodyFraming.NONE;
    private boolean requestComplete;
    private boolean answered;
    private boolean isReading;
    /** Octets of the body that are still to come; below zero if nobody knows. */
    private long left;

    private int uncreditedBytes;
    /** What answers the client's question if it asks for a WebSocket; null if it does not. */
    private byte @Nullable [] accept;

    private @Nullable BackendStreamTunnel tunnel;

    BackendStream(Http2BackendConnection connection) {
        this.loop = connection.loop();
        this.connection = connection;
        this.output = new StreamOutput(connection.flow(), this::resume);
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
        framing = BodyFraming.NONE;
        requestComplete = false;
        answered = false;
        isReading = true;
        left = UNKNOWN;
        uncreditedBytes = 0;
        accept = null;
        tunnel = null;
        output.begin(number, window);
    }

    int id() {
        return id;
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
        if (!output.isWritable() && !requestComplete) {
            // A backend that stops reading the request must not hold it forever.
            loop.worker.setDeadline(deadline, connection.settings().responseTimeout());
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
        if (!answered && exchange != null) {
            loop.worker.setDeadline(deadline, exchange.responseTimeout());
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
            if (!answered) {
                loop.worker.deadlines().clear(deadline);
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

    /** Whether the head of the response has come. */
    boolean isAnswered() {
        return answered;
    }

    /** A head came, which the loop holds; null if all is well, else what the backend is told. */
    @Nullable ErrorCode head(boolean endsStream) {
        Exchange current = exchange;
        if (current == null) {
            return null;
        }
        ResponseHeadText text = loop.head;
        if (text.isSwitch()) {
            return tunnel(current, text, endsStream);
        }
        int status = text.status();
        boolean informational = status < 200;
        boolean bodiless = informational || status == 204 || status == 304 || current.isHeadRequest();
        boolean inChunks = !current.bodies().clientFramesBodies();
        text.end(endsStream && !bodiless, inChunks && !endsStream && !bodiless);
        OctetBuffer notation = text.text();
        ResponseScanner response = loop.response;
        boolean good = isGood(response, notation);
        boolean cut = endsStream && (informational || (!bodiless && response.contentLength > 0));
        if (!good || status == 101 || cut) {
            fail(Failure.BAD_RESPONSE);
            return ErrorCode.PROTOCOL_ERROR;
        }
        ByteBuf octets = octets(notation);
        if (informational) {
            current.informational(response, octets);
            return null;
        }
        answered = true;
        if (accept != null) {
            output.end(); // there will be no tunnel
            connection.flushSoon();
        }
        if (current.declines(response)) {
            octets.release();
            exchange = null;
            leave(endsStream);
            current.moveOn();
            return null;
        }
        framing = endsStream || bodiless
                ? BodyFraming.NONE
                : !inChunks ? BodyFraming.STREAM : text.hasLength() ? BodyFraming.LENGTH : BodyFraming.CHUNKED;
        left = text.hasLength() && framing != BodyFraming.NONE ? response.contentLength : UNKNOWN;
        if (!endsStream) {
            expectBody();
        }
        current.responseHead(response, octets, /* bodyBytes= */ 0, framing);
        if (endsStream) {
            complete();
        } else {
            connection.passedOn(current);
        }
        return null;
    }

    private static boolean isGood(ResponseScanner response, OctetBuffer head) {
        return response.scan(head.bytes(), head.length(), Http2BackendConnection.OWN_LIMITS) == Scan.COMPLETE;
    }

    private ByteBuf octets(OctetBuffer head) {
        ByteBuf octets = loop.worker.allocator().directBuffer(head.length());
        octets.writeBytes(head.bytes(), 0, head.length());
        connection.counters().add(BackendCounter.BYTES_FROM, head.length());
        return octets;
    }

    /** The backend agrees to a WebSocket. */
    private @Nullable ErrorCode tunnel(Exchange current, ResponseHeadText text, boolean endsStream) {
        text.end(/* isEmpty= */ false, /* inChunks= */ false);
        if (!isGood(loop.response, text.text())) {
            fail(Failure.BAD_RESPONSE);
            return ErrorCode.PROTOCOL_ERROR;
        }
        answered = true;
        loop.worker.deadlines().clear(deadline);
        BackendStreamTunnel begun = new BackendStreamTunnel(this, output);
        tunnel = begun;
        current.tunnel(loop.response, octets(text.text()), begun);
        if (endsStream && exchange != null) {
            begun.inputEnds();
        }
        return null;
    }

    /** DATA came: {@code source[at, at + length)}, which is borrowed. */
    @Nullable ErrorCode data(ByteBuf source, int at, int length, int frameBytes, boolean endsStream) {
        Exchange current = exchange;
        if (current == null) {
            return null;
        }
        if (uncreditedBytes + frameBytes > Http2BackendConnection.STREAM_WINDOW) {
            fail(Failure.BAD_RESPONSE);
            return ErrorCode.FLOW_CONTROL_ERROR;
        }
        if (tunnel != null) {
            throughTunnel(tunnel, source, at, length, frameBytes, endsStream);
            return null;
        }
        boolean wrong = !answered
                || (length > 0 && framing == BodyFraming.NONE)
                || (left >= 0 && (endsStream ? left != length : left < length));
        if (wrong) {
            fail(Failure.BAD_RESPONSE);
            return ErrorCode.PROTOCOL_ERROR;
        }
        if (left >= 0) {
            left -= length;
        }
        if (!endsStream) {
            expectBody();
        }
        if (length > 0) {
            connection.counters().add(BackendCounter.BYTES_FROM, length);
            current.bodies()
                    .responseBody(
                            framing == BodyFraming.CHUNKED
                                    ? chunk(source, at, length)
                                    : source.retainedSlice(at, length));
            connection.passedOn(current);
        }
        if (exchange == null) {
            return null; // the client turned out to be gone
        }
        if (endsStream) {
            end(/* trailers= */ null);
        } else {
            credit(frameBytes);
        }
        return null;
    }

    private void throughTunnel(
            BackendStreamTunnel through, ByteBuf source, int at, int length, int frameBytes, boolean endsStream) {
        Exchange current = exchange;
        if (through.isInputEnded() || current == null) {
            return;
        }
        if (length > 0) {
            connection.counters().add(BackendCounter.BYTES_FROM, length);
            through.received(source.retainedSlice(at, length));
            connection.passedOn(current);
        }
        if (exchange == null) {
            return; // the client turned out to be gone
        }
        if (endsStream) {
            through.inputEnds();
        } else {
            credit(frameBytes);
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
            loop.worker.setDeadline(deadline, connection.settings().bodyIdleTimeout());
        }
    }

    private ByteBuf chunk(ByteBuf source, int at, int length) {
        ByteBuf chunk = loop.worker.allocator().directBuffer(length + CHUNK_OVERHEAD);
        ChunkSize.write(length, chunk);
        chunk.writeBytes(source, at, length);
        return chunk.writeBytes(CRLF);
    }

    /** The trailers came, and with them the end. */
    @Nullable ErrorCode trailers() {
        if (exchange == null) {
            return null;
        }
        if (left > 0 || tunnel != null) { // RFC 9113 section 8.5
            fail(Failure.BAD_RESPONSE);
            return ErrorCode.PROTOCOL_ERROR;
        }
        OctetBuffer lines = loop.head.text();
        end(Arrays.copyOf(lines.bytes(), lines.length()));
        return null;
    }

    private void end(byte @Nullable [] trailers) {
        Exchange current = exchange;
        if (current == null) {
            return;
        }
        if (framing == BodyFraming.CHUNKED) {
            int length = trailers == null ? 0 : trailers.length;
            ByteBuf last = loop.worker.allocator().directBuffer(length + CHUNK_OVERHEAD);
            last.writeBytes(LAST_CHUNK);
            if (trailers != null) {
                last.writeBytes(trailers);
            }
            current.bodies().responseBody(last.writeBytes(CRLF));
        } else if (trailers != null && trailers.length > 0) {
            current.bodies().responseTrailers(trailers);
        }
        complete();
    }

    private void credit(int bytes) {
        uncreditedBytes += bytes;
        if (isReading && uncreditedBytes >= Http2BackendConnection.STREAM_WINDOW / 2) {
            connection.windowUpdate(id, uncreditedBytes);
            uncreditedBytes = 0;
        }
    }

    private void expectBody() {
        if (isReading) {
            loop.worker.setDeadline(deadline, connection.settings().bodyIdleTimeout());
        }
    }

    @Override
    public void reading(boolean on) {
        if (on == isReading) {
            return;
        }
        isReading = on;
        if (!answered) {
            return;
        }
        if (on) {
            credit(0);
        }
        if (tunnel != null) {
            return;
        }
        if (on) {
            expectBody();
        } else {
            loop.worker.deadlines().clear(deadline); // it is the client that is slow
        }
    }

    // ---- the end

    /** The response is complete. */
    private void complete() {
        Exchange finished = exchange;
        exchange = null;
        leave(/* ended= */ true);
        if (finished != null) {
            finished.finish();
        }
    }

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

    /** The backend has reset the stream and kept the connection, so that a fresh one is no better. */
    void reset(boolean refused) {
        reused = false;
        if (tunnel != null && tunnel.isInputEnded()) {
            release();
            exchange = null;
            tunnel.refused();
            return;
        }
        fail(refused ? Failure.STREAM_REFUSED : Failure.RESET_BEFORE_RESPONSE);
    }

    /** The backend leaves and has not begun with the stream: a fresh connection to it will do. */
    void leftBehind() {
        reused = true;
        fail(Failure.STREAM_REFUSED);
    }

    /** The stream is over before its response is; it is not known to the connection any more, or will not be. */
    void fail(Failure failure) {
        Exchange failed = exchange;
        exchange = null;
        release();
        if (failed != null) {
            failed.backendFailed(answered && failure != Failure.BAD_RESPONSE ? Failure.RESPONSE_CUT : failure);
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

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            Exchange failed = exchange;
            exchange = null;
            connection.timedOut(BackendStream.this);
            if (failed != null) {
                failed.backendFailed(answered ? Failure.RESPONSE_CUT : Failure.RESPONSE_TIMEOUT);
            }
        }
    }
}
