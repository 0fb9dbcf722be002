package io.ballast.http.h1.backend;

import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.ResponseLimits;
import io.ballast.http.h1.wire.BodyReader;
import io.ballast.http.h1.wire.Buffers;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.PartialHead;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the responses of one backend connection. It joins the parts of a head, and tracks each body. It limits the
 * number of bytes that are read only to be discarded. It determines what the end of the connection means for the
 * response. Event-loop confined.
 */
final class ResponseReader {

    /** The maximum number of 1xx responses before a final response; far more than a backend needs. */
    static final int MAX_INFORMATIONAL = 100;

    /**
     * The maximum number of bytes to read from an unwanted response. If the response is longer, the connection is
     * closed.
     */
    private static final int MAX_DISCARDED_BYTES = 64 * 1024;

    private static final String UNEXPECTED = "unrequested or invalid protocol switch, or too many 1xx responses";
    private static final String CUT_HEAD = "the connection was closed during a response head";

    private static final String NO_REASON = "";
    private static final Duration MAX_DISCARDING = Duration.ofSeconds(5);

    private final BackendLoop loop;
    private final HeadLimits limits;
    private final BodyReader body = new BodyReader();
    private final PartialHead partial = new PartialHead();
    private @Nullable ByteBuf partialHead;
    private int informational;
    private int discarded;
    private boolean broken;
    private boolean ambiguous;
    /** The protocol that the current request asks to switch to; null for none. */
    private @Nullable UpgradeProtocol requestedProtocol;

    private String reason = NO_REASON;

    ResponseReader(BackendLoop loop, ResponseLimits limits) {
        this.loop = loop;
        this.limits = HeadLimits.of(limits);
    }

    /** Sets the protocol that the next response may switch to; null for none. */
    void setRequestedProtocol(@Nullable UpgradeProtocol protocol) {
        requestedProtocol = protocol;
    }

    /** Appends {@code received} to an incomplete head, and consumes it; returns a buffer owned by the caller. */
    ByteBuf join(ByteBuf received) {
        ByteBuf start = partialHead;
        if (start == null) {
            return received;
        }
        partialHead = null;
        return Buffers.join(start, received, loop.worker.allocator());
    }

    /**
     * Scans the head at the start of {@code received} into the event loop's scanner. Consumes {@code received}
     * unless the head is complete. Rejects a switch to a protocol that the request did not offer. If the first
     * chunk has begun, its size line must also be complete, so that a malformed size line is detected before
     * anything is forwarded.
     */
    ScanResult scan(ByteBuf received) {
        if (partial.lacksNewLine(received, limits)) {
            partialHead = received;
            return ScanResult.INCOMPLETE;
        }
        int max = limits.head();
        byte[] bytes = loop.responseBytes.copy(received, max);
        ScanResult result = loop.response.scan(bytes, Math.min(received.readableBytes(), max), limits);
        if (result == ScanResult.COMPLETE && lacksChunkSize(received)) {
            result = ScanResult.INCOMPLETE;
        }
        if (result == ScanResult.COMPLETE) {
            partial.forget();
            result = isExpected(loop.response.status) ? ScanResult.COMPLETE : ScanResult.REJECTED;
        }
        if (result == ScanResult.INCOMPLETE) {
            partial.recordScan(received);
            partialHead = received;
        } else if (result == ScanResult.REJECTED) {
            HeadError fault = loop.response.fault;
            reason = fault == null ? UNEXPECTED : fault.text;
            received.release();
        }
        return result;
    }

    /** Whether the first chunk has begun and its size line is incomplete but within the limit. */
    private boolean lacksChunkSize(ByteBuf received) {
        if (!loop.response.chunked || loop.response.status < 200) {
            return false;
        }
        int from = received.readerIndex() + loop.response.end;
        int length = received.writerIndex() - from;
        return length > 0
                && length <= BodyReader.LONGEST_SIZE_LINE
                && received.indexOf(from, received.writerIndex(), ByteClasses.LF) < 0;
    }

    private boolean isExpected(int status) {
        if (status >= 200) {
            return true;
        }
        informational++;
        return status == ResponseScanner.SWITCHING_PROTOCOLS
                ? loop.response.switchesTo(requestedProtocol)
                : informational <= MAX_INFORMATIONAL;
    }

    /**
     * Starts the body after the scanned head; returns the offset in {@code received} where the body ends. The
     * caller must check {@link #isBodyFaulty} afterwards.
     */
    int startBody(ByteBuf received, BodyFraming framing) {
        informational = 0;
        discarded = 0;
        ambiguous = loop.response.isAmbiguous(framing);
        if (ambiguous) {
            reason = HeadError.LENGTH_AND_TRANSFER_ENCODING.text;
        }
        body.start(framing, loop.response.contentLength);
        return body.consume(received, received.readerIndex() + loop.response.end, received.writerIndex());
    }

    /** Consumes body data from {@code received}; returns the offset where the body ends. */
    int consumeBody(ByteBuf received) {
        return body.consume(received, received.readerIndex(), received.writerIndex());
    }

    boolean isBodyDone() {
        return body.isDone();
    }

    boolean isBodyFaulty() {
        return body.isFaulty() || ambiguous;
    }

    /**
     * Returns the time limit for reading the rest of an unwanted response. The rest is read and discarded so that the
     * connection can be reused.
     */
    static Duration discardTimeout(BackendConnections settings) {
        Duration idle = settings.bodyIdleTimeout();
        return idle.compareTo(MAX_DISCARDING) < 0 ? idle : MAX_DISCARDING;
    }

    /** Discards a part of an unwanted response and releases its buffer; false once the size limit is exceeded. */
    boolean discard(ByteBuf part) {
        discarded += part.readableBytes();
        part.release();
        return discarded <= MAX_DISCARDED_BYTES;
    }

    /**
     * Handles a connection error, such as a failed read or write after a reset, and closes the connection. The
     * end of a broken connection does not complete a response. The exchanges are notified when the channel
     * becomes inactive.
     */
    void broken(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedRecvByteBufAllocator.isPause(cause)) {
            return;
        }
        UnexpectedErrors.report(cause);
        broken = true;
        ctx.close();
    }

    /**
     * Records a reset by the backend. A reset does not complete a response. Data received earlier is still read.
     */
    void reset() {
        broken = true;
    }

    /** Whether the connection failed or was reset by the backend. */
    boolean isBroken() {
        return broken;
    }

    /**
     * Returns the failure caused by the end of the connection; null if the end of the connection completes the
     * response.
     *
     * @param inBody whether the head of that response has arrived
     */
    @Nullable Failure failureAtEnd(boolean inBody) {
        if (inBody) {
            return body.framing() == BodyFraming.UNTIL_CLOSE && !broken ? null : Failure.RESPONSE_CUT;
        }
        if (partialHead == null) {
            return Failure.RESET_BEFORE_RESPONSE;
        }
        reason = CUT_HEAD;
        return Failure.BAD_RESPONSE;
    }

    /** The reason why a response is invalid, for the access log; empty if no response was invalid. */
    String reason() {
        HeadError fault = body.fault();
        return fault == null ? reason : fault.text;
    }

    /** Releases the buffered data. */
    void release() {
        if (partialHead != null) {
            partialHead.release();
            partialHead = null;
        }
    }
}
