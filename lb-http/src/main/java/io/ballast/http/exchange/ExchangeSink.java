package io.ballast.http.exchange;

import io.ballast.http.h1.wire.ChunkSize;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.local.ResponseSink;
import io.ballast.http.local.ResponseSource;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;

/**
 * Passes the response of a local source to an exchange. Each response has its own object, so a source that calls its
 * sink too late does not affect another request. Event-loop confined.
 */
final class ExchangeSink implements ResponseSink {

    private static final int CHUNK_OVERHEAD = ChunkSize.MAX_BYTES + 2;
    private static final byte[] CRLF = ByteClasses.ascii("\r\n");
    private static final byte[] NOTHING = {};
    private static final byte[] LAST_CHUNK = ByteClasses.ascii("0\r\n\r\n");

    private final Worker worker;
    private final Exchange exchange;
    private final ResponseForwarder response;
    private final ExchangeReport report;
    private final ResponseSource source;

    private BodyFraming framing = BodyFraming.NONE;
    /** The number of bytes of the body that the source has not sent yet; negative if the length is unknown. */
    private long left = -1;

    private boolean answered;
    /** Whether the source has ended or was cancelled; the exchange may then serve another request. */
    private boolean over;
    /** Whether the source must wait until the client accepts more data. */
    private boolean paused;
    /** Whether a method of the source or of this sink is running. */
    private boolean calling;

    ExchangeSink(
            Worker worker,
            Exchange exchange,
            ResponseForwarder response,
            ExchangeReport report,
            ResponseSource source) {
        this.worker = worker;
        this.exchange = exchange;
        this.response = response;
        this.report = report;
        this.source = source;
    }

    // ---- the source

    void start() {
        calling = true;
        try {
            source.start(this);
        } catch (RuntimeException e) {
            failed(e);
        }
        calling = false;
        flush();
    }

    private void resume() {
        if (over) {
            return;
        }
        calling = true;
        try {
            source.resume();
        } catch (RuntimeException e) {
            failed(e);
        }
        calling = false;
        flush();
    }

    private void failed(RuntimeException cause) {
        UnexpectedErrors.report(cause);
        if (!over) {
            reject("unexpected error: " + cause.getClass().getSimpleName());
        }
    }

    /** Fails the response, and cancels the source. */
    private void reject(String reason) {
        cancel();
        failExchange(reason);
    }

    private void failExchange(String reason) {
        report.reason(reason);
        exchange.fail(Failure.LOCAL_RESPONSE_FAILED);
    }

    private void cancel() {
        over = true;
        try {
            source.cancel();
        } catch (RuntimeException e) {
            UnexpectedErrors.report(e);
        }
    }

    private void flush() {
        if (!over) {
            response.flush();
        }
    }

    // ---- the response

    @Override
    public void head(byte[] lines, int length) {
        start(lines, length, NOTHING, 0, 0);
    }

    @Override
    public void headWithBody(byte[] lines, int length, byte[] body, int from, int bytes) {
        int joined = start(lines, length, body, from, bytes);
        if (joined < bytes) {
            body(Unpooled.wrappedBuffer(body, from + joined, bytes - joined));
        }
    }

    /**
     * Sends the head. If the given part is the whole announced body, sends it in the same buffer.
     *
     * @return the number of bytes of the body that were sent
     */
    private int start(byte[] lines, int length, byte[] body, int from, int bytes) {
        if (over || answered) {
            return 0;
        }
        LocalHead head = response.localHead();
        if (!head.read(lines, length)) {
            reject("invalid head of a local response");
            return 0;
        }
        answered = true;
        framing = head.frame(exchange.client());
        left = framing == BodyFraming.LENGTH ? head.scanner().contentLength : -1;
        int joined = left == bytes ? bytes : 0;
        left -= joined;
        ByteBuf out = head.copy(worker.allocator(), joined).writeBytes(body, from, joined);
        boolean isNested = beginCall();
        response.head(head.scanner(), out, joined, framing);
        endCall(isNested);
        return joined;
    }

    @Override
    public void body(ByteBuf data) {
        int length = data.readableBytes();
        if (over || length == 0 || (answered && framing == BodyFraming.NONE)) {
            data.release();
            return;
        }
        if (!answered || (left >= 0 && length > left)) {
            data.release();
            reject(answered ? "the body is longer than its Content-Length" : "a body without a head");
            return;
        }
        if (left >= 0) {
            left -= length;
        }
        boolean isNested = beginCall();
        response.body(framing == BodyFraming.CHUNKED ? chunk(data, length) : data);
        endCall(isNested);
    }

    private ByteBuf chunk(ByteBuf data, int length) {
        ByteBuf chunk = worker.allocator().directBuffer(length + CHUNK_OVERHEAD);
        ChunkSize.write(length, chunk);
        chunk.writeBytes(data).writeBytes(CRLF);
        data.release();
        return chunk;
    }

    private boolean beginCall() {
        boolean wasCalling = calling;
        calling = true;
        return wasCalling;
    }

    /** Ends a call of the sink. Flushes unless the call is nested in another call, which flushes at its end. */
    private void endCall(boolean isNested) {
        calling = isNested;
        paused |= !over && !response.isWritable();
        if (!isNested) {
            flush();
        }
    }

    @Override
    public void end() {
        if (over) {
            return;
        }
        if (!answered || left > 0) {
            fail(answered ? "the body is shorter than its Content-Length" : "no response");
            return;
        }
        if (framing == BodyFraming.CHUNKED) {
            boolean isNested = beginCall();
            response.body(worker.allocator().directBuffer(LAST_CHUNK.length).writeBytes(LAST_CHUNK));
            calling = isNested;
        }
        if (!over) {
            over = true;
            exchange.endResponse();
        }
    }

    @Override
    public void fail(String reason) {
        if (!over) {
            over = true;
            failExchange(reason);
        }
    }

    @Override
    public boolean isWritable() {
        if (over) {
            return false;
        }
        boolean writable = response.isWritable();
        paused |= !writable;
        return writable;
    }

    @Override
    public EventLoop eventLoop() {
        return worker.eventLoop();
    }

    @Override
    public ByteBufAllocator allocator() {
        return worker.allocator();
    }

    // ---- the exchange

    /** Pauses the source, or resumes it in a later task, because the caller may be in the middle of sending. */
    void setReading(boolean on) {
        if (!on) {
            paused = true;
        } else if (paused && !over) {
            paused = false;
            worker.eventLoop().execute(this::resume);
        }
    }

    /** Ends the response because the exchange has ended. */
    void abort() {
        if (!over) {
            cancel();
        }
    }
}
