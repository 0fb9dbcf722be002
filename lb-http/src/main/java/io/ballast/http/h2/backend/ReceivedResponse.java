package io.ballast.http.h2.backend;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h1.wire.ChunkSize;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Receives the response on a backend stream: validates it and forwards it as HTTP/1.1. Adds credit to the stream window
 * for forwarded data, but adds none while the client is slow. Event-loop confined; reused together with its stream
 * object.
 */
final class ReceivedResponse {

    private static final byte[] CRLF = ByteClasses.ascii("\r\n");
    private static final byte[] LAST_CHUNK = ByteClasses.ascii("0\r\n");
    /**
     * Maximum number of bytes that chunked coding adds to one buffer: a size line and the CRLF after the data, or the
     * last chunk and an empty line.
     */
    private static final int CHUNK_OVERHEAD = ChunkSize.MAX_BYTES + 2;

    private static final String CUT = "the stream ended before the body was complete";
    private static final String SWITCH = "protocol switch (status 101), which HTTP/2 does not support";
    private static final String WRONG_LENGTH = HeadError.WRONG_BODY_LENGTH.text;

    private static final long UNKNOWN = -1;

    private final BackendStream stream;
    private final Http2Backends loop;
    private final Http2BackendConnection connection;

    private BodyFraming framing = BodyFraming.NONE;
    private boolean answered;
    private boolean isReading;
    /** Remaining bytes of the body; negative if unknown. */
    private long left;

    private int uncreditedBytes;

    ReceivedResponse(BackendStream stream, Http2BackendConnection connection) {
        this.stream = stream;
        this.loop = connection.loop();
        this.connection = connection;
    }

    /** Prepares for the response on a new stream. */
    void begin() {
        framing = BodyFraming.NONE;
        answered = false;
        isReading = true;
        left = UNKNOWN;
        uncreditedBytes = 0;
    }

    /** Whether the response head has arrived. */
    boolean isAnswered() {
        return answered;
    }

    /**
     * Handles the head in the loop's {@link Http1ResponseHeadBuilder}; returns the error to send to the backend, or
     * null.
     */
    @Nullable ErrorCode head(boolean endsStream) {
        Exchange current = stream.exchange();
        if (current == null) {
            return null;
        }
        Http1ResponseHeadBuilder text = loop.head;
        if (text.isSwitch()) {
            return tunnel(current, text, endsStream);
        }
        int status = text.status();
        boolean informational = status < 200;
        boolean bodiless = informational
                || status == 204
                || status == 304
                || current.request().isHead();
        boolean inChunks = !current.client().framesBodies();
        text.end(endsStream && !bodiless, inChunks && !endsStream && !bodiless);
        ByteAppender notation = text.text();
        ResponseScanner response = loop.response;
        boolean good = isValid(response, notation);
        boolean cut = endsStream && (informational || (!bodiless && response.contentLength > 0));
        if (!good || status == 101 || cut) {
            stream.fail(Failure.BAD_RESPONSE, !good ? faultOf(response) : cut ? CUT : SWITCH);
            return ErrorCode.PROTOCOL_ERROR;
        }
        ByteBuf bytes = toBuffer(notation);
        if (informational) {
            current.informational(response, bytes);
            return null;
        }
        answered = true;
        stream.tunnelRefused();
        if (current.declinesResponse(response)) {
            bytes.release();
            stream.declined(endsStream);
            current.continueWithoutResponse();
            return null;
        }
        framing = endsStream || bodiless
                ? BodyFraming.NONE
                : !inChunks ? BodyFraming.STREAM : text.hasLength() ? BodyFraming.LENGTH : BodyFraming.CHUNKED;
        left = text.hasLength() && framing != BodyFraming.NONE ? response.contentLength : UNKNOWN;
        if (!endsStream) {
            expectBody();
        }
        current.responseHead(response, bytes, /* bodyBytes= */ 0, framing);
        if (endsStream) {
            stream.complete();
        } else {
            connection.passedOn(stream);
        }
        return null;
    }

    private static boolean isValid(ResponseScanner response, ByteAppender head) {
        return response.scan(head.bytes(), head.length(), Http2BackendConnection.OWN_LIMITS) == ScanResult.COMPLETE;
    }

    private static String faultOf(ResponseScanner response) {
        HeadError fault = response.fault;
        return fault == null ? "malformed response head" : fault.text;
    }

    private ByteBuf toBuffer(ByteAppender head) {
        ByteBuf bytes = loop.worker.allocator().directBuffer(head.length());
        bytes.writeBytes(head.bytes(), 0, head.length());
        connection.counters().add(BackendCounter.BYTES_FROM, head.length());
        return bytes;
    }

    /** Starts the tunnel, because the backend has accepted a WebSocket. */
    private @Nullable ErrorCode tunnel(Exchange current, Http1ResponseHeadBuilder text, boolean endsStream) {
        text.end(/* isEmpty= */ false, /* inChunks= */ false);
        if (!isValid(loop.response, text.text())) {
            stream.fail(Failure.BAD_RESPONSE, faultOf(loop.response));
            return ErrorCode.PROTOCOL_ERROR;
        }
        answered = true;
        BackendStreamTunnel started = stream.beginTunnel();
        current.tunnel(loop.response, toBuffer(text.text()), started);
        if (endsStream && stream.exchange() != null) {
            started.handleInputEnd();
        }
        return null;
    }

    /** Receives the DATA bytes {@code source[at, at + length)}, which are valid only during the call. */
    @Nullable ErrorCode data(ByteBuf source, int at, int length, int frameBytes, boolean endsStream) {
        Exchange current = stream.exchange();
        if (current == null) {
            return null;
        }
        if (uncreditedBytes + frameBytes > Http2BackendConnection.STREAM_WINDOW) {
            stream.fail(Failure.BAD_RESPONSE, "received data exceeds the flow-control window of the stream");
            return ErrorCode.FLOW_CONTROL_ERROR;
        }
        BackendStreamTunnel through = stream.tunnel();
        if (through != null) {
            forwardToTunnel(through, current, source, at, length, frameBytes, endsStream);
            return null;
        }
        boolean wrong = !answered
                || (length > 0 && framing == BodyFraming.NONE)
                || (left >= 0 && (endsStream ? left != length : left < length));
        if (wrong) {
            stream.fail(Failure.BAD_RESPONSE, answered ? WRONG_LENGTH : "body received before the response head");
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
            current.responseBody(
                    framing == BodyFraming.CHUNKED ? chunk(source, at, length) : source.retainedSlice(at, length));
            connection.passedOn(stream);
        }
        if (stream.exchange() == null) {
            return null; // the client has disconnected
        }
        if (endsStream) {
            end(/* trailers= */ null);
        } else {
            credit(frameBytes);
        }
        return null;
    }

    private void forwardToTunnel(
            BackendStreamTunnel through,
            Exchange current,
            ByteBuf source,
            int at,
            int length,
            int frameBytes,
            boolean endsStream) {
        if (through.isInputEnded()) {
            return;
        }
        if (length > 0) {
            connection.counters().add(BackendCounter.BYTES_FROM, length);
            through.received(source.retainedSlice(at, length));
            connection.passedOn(stream);
        }
        if (stream.exchange() == null) {
            return; // the client has disconnected
        }
        if (endsStream) {
            through.handleInputEnd();
        } else {
            credit(frameBytes);
        }
    }

    private ByteBuf chunk(ByteBuf source, int at, int length) {
        ByteBuf chunk = loop.worker.allocator().directBuffer(length + CHUNK_OVERHEAD);
        ChunkSize.write(length, chunk);
        chunk.writeBytes(source, at, length);
        return chunk.writeBytes(CRLF);
    }

    /** Handles the trailers, which end the response. */
    @Nullable ErrorCode trailers() {
        if (stream.exchange() == null) {
            return null;
        }
        if (left > 0 || stream.tunnel() != null) { // a tunnel has no trailers (RFC 9113 section 8.5)
            stream.fail(Failure.BAD_RESPONSE, left > 0 ? WRONG_LENGTH : "trailers received in a tunnel");
            return ErrorCode.PROTOCOL_ERROR;
        }
        ByteAppender lines = loop.head.text();
        end(Arrays.copyOf(lines.bytes(), lines.length()));
        return null;
    }

    private void end(byte @Nullable [] trailers) {
        Exchange current = stream.exchange();
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
            current.responseBody(last.writeBytes(CRLF));
        } else if (trailers != null && trailers.length > 0) {
            current.client().responseTrailers(trailers);
        }
        stream.complete();
    }

    private void credit(int bytes) {
        uncreditedBytes += bytes;
        if (isReading && uncreditedBytes >= Http2BackendConnection.STREAM_WINDOW / 2) {
            connection.windowUpdate(stream.id(), uncreditedBytes);
            uncreditedBytes = 0;
        }
    }

    /** Starts the idle timeout of the body, which limits the time for which neither side makes progress. */
    void expectBody() {
        if (isReading) {
            stream.setDeadline(connection.settings().bodyIdleTimeout());
        }
    }

    /** Stops or resumes adding credit to the window; data within the window still arrives. */
    void setReading(boolean on) {
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
        if (stream.tunnel() != null) {
            return;
        }
        if (on) {
            expectBody();
        } else {
            stream.clearDeadline(); // the client is slow, so the backend has no deadline
        }
    }
}
