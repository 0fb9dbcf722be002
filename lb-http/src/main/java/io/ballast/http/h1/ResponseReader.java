package io.ballast.http.h1;

import io.ballast.http.exchange.BodyFraming;
import io.ballast.http.exchange.Failure;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads the responses that come over one connection to a backend, one after the other: puts the pieces of a head
 * together, follows each body, bounds what a backend may send in vain, and judges what the end of the connection means.
 * Event-loop confined.
 */
final class ResponseReader {

    /** Most 1xx responses before the one that counts: far more than any backend has use for. */
    static final int MOST_INFORMATIONAL = 100;

    /** How much of a response that nobody wants is read before the connection is given up instead. */
    private static final int MOST_DISCARDED_BYTES = 64 * 1024;

    private final Http1Loop loop;
    private final BodyReader body = new BodyReader();
    private final PartialHead partial = new PartialHead();
    private @Nullable ByteBuf partialHead;
    private int informational;
    private int discarded;
    private boolean broken;

    ResponseReader(Http1Loop loop) {
        this.loop = loop;
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
     * the head is complete. A switch of protocols, for which nobody asked, is no good head.
     */
    Scan scan(ByteBuf received) {
        if (partial.lacksNewLine(received, HeadLimits.BACKEND)) {
            partialHead = received;
            return Scan.INCOMPLETE;
        }
        int most = HeadLimits.BACKEND.head();
        byte[] bytes = loop.responseBytes.copy(received, most);
        Scan result = loop.response.scan(bytes, Math.min(received.readableBytes(), most), HeadLimits.BACKEND);
        if (result == Scan.COMPLETE) {
            partial.forget();
            result = isExpected(loop.response.status) ? Scan.COMPLETE : Scan.REJECTED;
        }
        if (result == Scan.INCOMPLETE) {
            partial.scanned(received);
            partialHead = received;
        } else if (result == Scan.REJECTED) {
            received.release();
        }
        return result;
    }

    private boolean isExpected(int status) {
        if (status >= 200) {
            return true;
        }
        informational++;
        return status != 101 && informational <= MOST_INFORMATIONAL;
    }

    /** The head that was scanned is that of a response; returns the offset in {@code received} where its body ends. */
    int startBody(ByteBuf received, BodyFraming framing) {
        informational = 0;
        discarded = 0;
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
        return body.isFaulty();
    }

    /** Throws away a part of a response that nobody wants; consumes it. False once it is not worth reading on. */
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
        Surprises.report(cause);
        broken = true;
        ctx.close();
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
        return partialHead == null ? Failure.RESET_BEFORE_RESPONSE : Failure.BAD_RESPONSE;
    }

    /** Lets go of what was kept. */
    void release() {
        if (partialHead != null) {
            partialHead.release();
            partialHead = null;
        }
    }
}
