package io.ballast.http.h1.client;

import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.BodyRelay;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.RequestState;
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

    private final ReceiveBuffer receiveBuffer;
    private final RequestState served;
    private final BodyRelay bodies;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final long mostBytes;
    private boolean open;

    RequestBody(
            ReceiveBuffer receiveBuffer,
            RequestState served,
            BodyRelay bodies,
            ClientOutput output,
            ClientDeadline deadline,
            long mostBytes) {
        this.receiveBuffer = receiveBuffer;
        this.served = served;
        this.bodies = bodies;
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
        if (receiveBuffer.isEmpty()) {
            return false;
        }
        ByteBuf source = receiveBuffer.bytes();
        int start = source.readerIndex();
        int end = served.body.take(source, start, source.writerIndex());
        if (!served.body.isDone() || fault() != null) {
            return false;
        }
        receiveBuffer.skip(end - start);
        return true;
    }

    /** Whether it is passed on in chunks, as it came. */
    boolean isInChunks() {
        return served.body.framing() == BodyFraming.CHUNKED;
    }

    /** Whether some of it is still to come, and to be passed on. */
    boolean isOpen() {
        return open;
    }

    /** Whether some of it is here that the backend does not take. */
    boolean isHeldUp() {
        return open && !receiveBuffer.isEmpty() && !bodies.isBackendWritable();
    }

    /** Nothing more is passed on. */
    void stop() {
        open = false;
    }

    /** How much room to leave behind the head for {@link #join}. */
    int joinableBytes() {
        return open ? Math.min(receiveBuffer.readableBytes(), SMALL_BYTES) : 0;
    }

    /**
     * Sends the head, and behind it in the same buffer what is there of the body if that is little; consumes
     * {@code head}.
     */
    @Nullable Failure join(ByteBuf head, BackendSide backend) {
        int headBytes = head.readableBytes();
        int available = receiveBuffer.readableBytes();
        if (available == 0 || available > SMALL_BYTES) {
            backend.sendHead(head, headBytes, isInChunks());
            return null;
        }
        ByteBuf source = receiveBuffer.bytes();
        int end = served.body.take(source, source.readerIndex(), source.writerIndex());
        Failure fault = fault();
        if (fault != null) {
            head.release();
            return fault;
        }
        int length = end - source.readerIndex();
        served.sent.add(source, source.readerIndex(), length);
        head.writeBytes(source, length);
        receiveBuffer.dropIfRead();
        backend.sendHead(head, headBytes, isInChunks());
        goOn();
        return null;
    }

    /** More of it has come: {@code received}, which is consumed. */
    @Nullable Failure receive(ByteBuf received) {
        deadline.bodyReceived(received.readableBytes());
        receiveBuffer.add(received);
        return relay();
    }

    /** Goes on after a side was slow. */
    @Nullable Failure resume() {
        if (!open) {
            return null;
        }
        Failure fault = relay();
        if (fault == null && open && bodies.isBackendWritable()) {
            awaitBody();
            output.reading(true);
        }
        return fault;
    }

    /** Passes on what is there, as far as the backend takes it. May be called from within, if it takes it at once. */
    private @Nullable Failure relay() {
        if (receiveBuffer.isEmpty() || served.body.isDone()) {
            return null;
        }
        if (!bodies.isBackendWritable()) {
            output.reading(false); // until it takes more, which is the backend's to answer for
            deadline.awaitBackend();
            return null;
        }
        ByteBuf source = receiveBuffer.bytes();
        int end = served.body.take(source, source.readerIndex(), source.writerIndex());
        Failure fault = fault();
        if (fault != null) {
            return fault;
        }
        served.sent.add(source, source.readerIndex(), end - source.readerIndex());
        bodies.requestBody(receiveBuffer.take(end - source.readerIndex()));
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
            bodies.requestEnd();
        } else if (bodies.isBackendWritable()) {
            awaitBody();
        }
    }

    /** Beside a response a body may rest: then the idle time of the two directions together counts, at the backend's side. */
    private void awaitBody() {
        if (served.answered) {
            deadline.expectNothing();
        } else {
            deadline.awaitBody();
        }
    }
}
