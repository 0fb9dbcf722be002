package io.ballast.http.h1.client;

import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Flow;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Passes a request's body from what arrived on to the backend, judging it on the way, and has the client wait for the
 * backend or the backend for the client. Methods that return a failure say what is wrong with the body; then none of the
 * rest may be passed on. Event-loop confined.
 */
final class RequestBody {

    /** Bodies up to this size are copied behind the head, to go out in one piece. */
    static final int SMALL_BYTES = 4096;

    private final Inbound inbound;
    private final ServedRequest served;
    private final Flow flow;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final long mostBytes;
    private boolean open;

    RequestBody(
            Inbound inbound,
            ServedRequest served,
            Flow flow,
            ClientOutput output,
            ClientDeadline deadline,
            long mostBytes) {
        this.inbound = inbound;
        this.served = served;
        this.flow = flow;
        this.output = output;
        this.deadline = deadline;
        this.mostBytes = mostBytes;
    }

    /** A request is to be passed on, whose head is complete. */
    void begin() {
        open = !served.body.isDone();
    }

    /** Throws the body of a request away that goes to no backend; false if not all of it is there, or it is at fault. */
    boolean skipWhole() {
        if (served.body.isDone()) {
            return true;
        }
        if (inbound.isEmpty()) {
            return false;
        }
        ByteBuf source = inbound.bytes();
        int start = source.readerIndex();
        int end = served.body.take(source, start, source.writerIndex());
        if (!served.body.isDone() || fault() != null) {
            return false;
        }
        inbound.skip(end - start);
        return true;
    }

    /** Whether some of it is still to come, and to be passed on. */
    boolean isOpen() {
        return open;
    }

    /** Whether some of it is here that the backend does not take. */
    boolean isHeldUp() {
        return open && !inbound.isEmpty() && !flow.isBackendWritable();
    }

    /** Nothing more is passed on. */
    void stop() {
        open = false;
    }

    /** How much room to leave behind the head for {@link #join}. */
    int joinableBytes() {
        return open ? Math.min(inbound.readableBytes(), SMALL_BYTES) : 0;
    }

    /**
     * Sends the head, and behind it in the same buffer what is there of the body if that is little; consumes
     * {@code head}.
     */
    @Nullable Failure join(ByteBuf head, BackendSide backend) {
        int available = inbound.readableBytes();
        if (available == 0 || available > SMALL_BYTES) {
            backend.send(head);
            return null;
        }
        ByteBuf source = inbound.bytes();
        int end = served.body.take(source, source.readerIndex(), source.writerIndex());
        Failure fault = fault();
        if (fault != null) {
            head.release();
            return fault;
        }
        int length = end - source.readerIndex();
        served.sent.add(source, source.readerIndex(), length);
        head.writeBytes(source, length);
        inbound.dropIfRead();
        backend.send(head);
        goOn();
        return null;
    }

    /** More of it has come: {@code received}, which is consumed. */
    @Nullable Failure receive(ByteBuf received) {
        deadline.bodyReceived(received.readableBytes());
        inbound.add(received);
        return relay();
    }

    /** Goes on after a side was slow. */
    @Nullable Failure resume() {
        if (!open) {
            return null;
        }
        Failure fault = relay();
        if (fault == null && open && flow.isBackendWritable()) {
            deadline.awaitBody(/* paced= */ !served.answered);
            output.reading(true);
        }
        return fault;
    }

    /** Passes on what is there, as far as the backend takes it. May be called from within, if it takes it at once. */
    private @Nullable Failure relay() {
        if (inbound.isEmpty() || served.body.isDone()) {
            return null;
        }
        if (!flow.isBackendWritable()) {
            output.reading(false); // until it takes more, which is the backend's to answer for
            deadline.awaitBackend();
            return null;
        }
        ByteBuf source = inbound.bytes();
        int end = served.body.take(source, source.readerIndex(), source.writerIndex());
        Failure fault = fault();
        if (fault != null) {
            return fault;
        }
        served.sent.add(source, source.readerIndex(), end - source.readerIndex());
        flow.requestBody(inbound.take(end - source.readerIndex()));
        goOn();
        return null;
    }

    private @Nullable Failure fault() {
        if (served.body.isFaulty()) {
            return Failure.BAD_REQUEST;
        }
        return served.body.taken() > mostBytes ? Failure.REQUEST_TOO_LARGE : null;
    }

    private void goOn() {
        if (!open) {
            return; // given up while a part was sent
        }
        if (served.body.isDone()) {
            open = false;
            deadline.expectNothing();
            flow.requestEnd();
        } else if (flow.isBackendWritable()) {
            deadline.awaitBody(/* paced= */ !served.answered);
        }
    }
}
