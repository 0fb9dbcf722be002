package io.ballast.http.h1;

import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Flow;
import io.netty.buffer.ByteBuf;

/**
 * Passes a request's body from what arrived on to the backend, judging it on the way. The connection calls it whenever
 * there may be something to do, and acts on the {@link Progress} that it reports. Event-loop confined.
 */
final class RequestBody {

    /** Bodies up to this size are copied behind the head, to go out in one piece. */
    static final int SMALL_BYTES = 4096;

    enum Progress {
        /** Nothing was there to pass on. */
        NOTHING,
        /** Some was passed on, and more must come. */
        MOVED,
        /** The backend takes no more for now. */
        BLOCKED,
        /** The body is complete and passed on. */
        DONE,
        /** Its framing is broken; see {@link BodyReader#fault()}. */
        FAULTY,
        /** It is longer than allowed. */
        TOO_LARGE
    }

    private final Inbound inbound;
    private final ServedRequest served;
    private final Flow flow;
    private final long mostBytes;

    RequestBody(Inbound inbound, ServedRequest served, Flow flow, long mostBytes) {
        this.inbound = inbound;
        this.served = served;
        this.flow = flow;
        this.mostBytes = mostBytes;
    }

    /** How much room to leave behind the head for {@link #join}. */
    int joinableBytes() {
        return Math.min(inbound.readableBytes(), SMALL_BYTES);
    }

    /**
     * Sends the head, and behind it in the same buffer what is there of the body if that is little; consumes
     * {@code head}.
     */
    Progress join(ByteBuf head, BackendSide backend) {
        int available = inbound.readableBytes();
        if (available == 0 || available > SMALL_BYTES) {
            backend.send(head);
            return Progress.NOTHING;
        }
        ByteBuf source = inbound.bytes();
        int end = served.body.take(source, source.readerIndex(), source.writerIndex());
        Progress judgement = judge();
        if (judgement != Progress.MOVED) {
            head.release();
            return judgement;
        }
        int length = end - source.readerIndex();
        served.sent.add(source, source.readerIndex(), length);
        head.writeBytes(source, length);
        inbound.dropIfRead();
        backend.send(head);
        return progress();
    }

    /** Passes on what is there, as far as the backend takes it. */
    Progress relay() {
        if (inbound.isEmpty() || served.body.isDone()) {
            return Progress.NOTHING;
        }
        if (!flow.isBackendWritable()) {
            return Progress.BLOCKED;
        }
        ByteBuf source = inbound.bytes();
        int end = served.body.take(source, source.readerIndex(), source.writerIndex());
        Progress judgement = judge();
        if (judgement != Progress.MOVED) {
            return judgement;
        }
        served.sent.add(source, source.readerIndex(), end - source.readerIndex());
        flow.requestBody(inbound.take(end - source.readerIndex()));
        return progress();
    }

    private Progress judge() {
        if (served.body.isFaulty()) {
            return Progress.FAULTY;
        }
        return served.body.taken() > mostBytes ? Progress.TOO_LARGE : Progress.MOVED;
    }

    private Progress progress() {
        return served.body.isDone() ? Progress.DONE : Progress.MOVED;
    }
}
