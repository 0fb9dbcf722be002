package io.ballast.http.h1.backend;

import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.ResponseLimits;
import io.ballast.http.h1.wire.BodyReader;
import io.ballast.http.h1.wire.Buffers;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.HeadFault;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.Octets;
import io.ballast.http.head.PartialHead;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.Scan;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedReads;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the responses that come over one connection to a backend, one after the other: puts the pieces of a head
 * together, follows each body, bounds what a backend may send in vain, and judges what the end of the connection means.
 * Event-loop confined.
 */
final class ResponseReader {

    /** Most 1xx responses before the one that counts: far more than any backend has use for. */
    static final int MOST_INFORMATIONAL = 100;

    /** How much of an unwanted response is read before the connection is given up instead. */
    private static final int MOST_DISCARDED_BYTES = 64 * 1024;

    private static final String UNEXPECTED =
            "switch of protocols that was not asked for or is unsound, or too many 1xx responses";
    private static final String CUT_HEAD = "the connection ended in a head";

    private static final String NO_REASON = "";
    private static final Duration MOST_DISCARDING = Duration.ofSeconds(5);

    private final BackendLoop loop;
    private final HeadLimits limits;
    private final BodyReader body = new BodyReader();
    private final PartialHead partial = new PartialHead();
    private @Nullable ByteBuf partialHead;
    private int informational;
    private int discarded;
    private boolean broken;
    private boolean ambiguous;
    /** The protocol that the request which is served asks to switch to; null if it does not. */
    private @Nullable UpgradeProtocol asked;

    private String reason = NO_REASON;

    ResponseReader(BackendLoop loop, ResponseLimits limits) {
        this.loop = loop;
        this.limits = HeadLimits.of(limits);
    }

    /** The next response may switch to this protocol; null if it may not. */
    void mayBecome(@Nullable UpgradeProtocol protocol) {
        asked = protocol;
    }

    /** Puts {@code received} behind what there is of a head; consumes it and returns a buffer that the caller owns. */
    ByteBuf join(ByteBuf received) {
        ByteBuf start = partialHead;
        if (start == null) {
            return received;
        }
        partialHead = null;
        return Buffers.join(start, received, loop.worker.allocator());
    }

    /**
     * Scans the head at the beginning of {@code received} into the event loop's scanner. Consumes {@code received} unless
     * the head is complete. A switch to a protocol that the request does not name is no good head. With the head comes
     * the size of the first chunk if that has begun, so that a faulty one is known before anything was passed on.
     */
    Scan scan(ByteBuf received) {
        if (partial.lacksNewLine(received, limits)) {
            partialHead = received;
            return Scan.INCOMPLETE;
        }
        int most = limits.head();
        byte[] bytes = loop.responseBytes.copy(received, most);
        Scan result = loop.response.scan(bytes, Math.min(received.readableBytes(), most), limits);
        if (result == Scan.COMPLETE && lacksChunkSize(received)) {
            result = Scan.INCOMPLETE;
        }
        if (result == Scan.COMPLETE) {
            partial.forget();
            result = isExpected(loop.response.status) ? Scan.COMPLETE : Scan.REJECTED;
        }
        if (result == Scan.INCOMPLETE) {
            partial.scanned(received);
            partialHead = received;
        } else if (result == Scan.REJECTED) {
            HeadFault fault = loop.response.fault;
            reason = fault == null ? UNEXPECTED : fault.text;
            received.release();
        }
        return result;
    }

    /** Whether the first chunk has begun behind the head, and its size has not come to an end that it may still have. */
    private boolean lacksChunkSize(ByteBuf received) {
        if (!loop.response.chunked || loop.response.status < 200) {
            return false;
        }
        int from = received.readerIndex() + loop.response.end;
        int length = received.writerIndex() - from;
        return length > 0
                && length <= BodyReader.LONGEST_SIZE_LINE
                && received.indexOf(from, received.writerIndex(), Octets.LF) < 0;
    }

    private boolean isExpected(int status) {
        if (status >= 200) {
            return true;
        }
        informational++;
        return status == ResponseScanner.SWITCHING_PROTOCOLS
                ? loop.response.switchesTo(asked)
                : informational <= MOST_INFORMATIONAL;
    }

    /**
     * The head that was scanned is that of a response; returns the offset in {@code received} where its body ends. It is to be
     * asked then whether the {@linkplain #isBodyFaulty body is at fault}.
     */
    int startBody(ByteBuf received, BodyFraming framing) {
        informational = 0;
        discarded = 0;
        ambiguous = loop.response.isAmbiguous(framing);
        if (ambiguous) {
            reason = HeadFault.LENGTH_AND_TRANSFER_ENCODING.text;
        }
        body.start(framing, loop.response.contentLength);
        return body.take(received, received.readerIndex() + loop.response.end, received.writerIndex());
    }

    /** Takes the body out of {@code received}; returns the offset where it ends. */
    int takeBody(ByteBuf received) {
        return body.take(received, received.readerIndex(), received.writerIndex());
    }

    boolean isBodyDone() {
        return body.isDone();
    }

    boolean isBodyFaulty() {
        return body.isFaulty() || ambiguous;
    }

    /** How long the rest of an unwanted response may take, so that its connection can be used again. */
    static Duration discardTimeout(BackendConnections settings) {
        Duration idle = settings.bodyIdleTimeout();
        return idle.compareTo(MOST_DISCARDING) < 0 ? idle : MOST_DISCARDING;
    }

    /** Throws away a part of an unwanted response; consumes it. False once it is not worth reading on. */
    boolean discard(ByteBuf part) {
        discarded += part.readableBytes();
        part.release();
        return discarded <= MOST_DISCARDED_BYTES;
    }

    /**
     * The connection failed, so that its end is not the end of a response: closes it. Writes and reads fail when the
     * backend resets; the end, which is to come, tells the exchanges.
     */
    void broken(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedReads.isPause(cause)) {
            return;
        }
        UnexpectedErrors.report(cause);
        broken = true;
        ctx.close();
    }

    /** The backend has reset the connection, so that its end is not the end of a response. What arrived before is still read. */
    void reset() {
        broken = true;
    }

    /** Whether the connection failed, or the backend has reset it. */
    boolean isBroken() {
        return broken;
    }

    /**
     * What the end of the connection means for the response that is due; null if it completes it.
     *
     * @param inBody whether the head of that response came
     */
    @Nullable Failure atEnd(boolean inBody) {
        if (inBody) {
            return body.framing() == BodyFraming.UNTIL_CLOSE && !broken ? null : Failure.RESPONSE_CUT;
        }
        if (partialHead == null) {
            return Failure.RESET_BEFORE_RESPONSE;
        }
        reason = CUT_HEAD;
        return Failure.BAD_RESPONSE;
    }

    /** Why a response is bad, for the access log; empty if none was. */
    String reason() {
        HeadFault fault = body.fault();
        return fault == null ? reason : fault.text;
    }

    /** Lets go of what was kept. */
    void release() {
        if (partialHead != null) {
            partialHead.release();
            partialHead = null;
        }
    }
}
