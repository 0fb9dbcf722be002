package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.RequestComposer;
import io.ballast.http.serving.RequestState;
import io.ballast.http.serving.RetryBuffer;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Sends a client's request to a backend: the head with the backend's header changes, then the body as it arrives. It
 * validates the body and applies backpressure in both directions. If a method returns a failure, the body is invalid
 * and no more of it may be forwarded. Event-loop confined.
 */
final class RequestRelay {

    /** The largest body part that is copied into the buffer of the head, so that both are sent in one piece. */
    private static final int SMALL_BYTES = 4096;

    private final RequestComposer composer;
    private final Exchange exchange;
    private final RequestState requestState;
    private final ClientAddress address;
    private final HeaderContext headerContext;
    private final ReceiveBuffer receiveBuffer;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final long maxBytes;
    /** Whether more of the body is expected and must be forwarded. */
    private boolean open;

    RequestRelay(
            RequestComposer composer,
            Exchange exchange,
            RequestState requestState,
            ClientAddress address,
            HeaderContext headerContext,
            ReceiveBuffer receiveBuffer,
            ClientOutput output,
            ClientDeadline deadline,
            long maxBytes) {
        this.composer = composer;
        this.exchange = exchange;
        this.requestState = requestState;
        this.address = address;
        this.headerContext = headerContext;
        this.receiveBuffer = receiveBuffer;
        this.output = output;
        this.deadline = deadline;
        this.maxBytes = maxBytes;
    }

    /** Prepares to forward the body of a request whose head is complete. */
    void begin() {
        open = !requestState.body().isDone();
    }

    /**
     * Discards the body of a request that is not sent to a backend; false if the body is incomplete or invalid.
     */
    boolean skipIfComplete() {
        if (requestState.body().isDone()) {
            return true;
        }
        if (receiveBuffer.isEmpty()) {
            return false;
        }
        ByteBuf source = receiveBuffer.bytes();
        int start = source.readerIndex();
        int end = requestState.body().consume(source, start, source.writerIndex());
        if (!requestState.body().isDone() || fault() != null) {
            return false;
        }
        receiveBuffer.skip(end - start);
        return true;
    }

    /** Whether the body is forwarded with chunked coding, as it was received. */
    private boolean isInChunks() {
        return requestState.body().framing() == BodyFraming.CHUNKED;
    }

    /** Whether more of the body is expected and must be forwarded. */
    boolean isOpen() {
        return open;
    }

    /** Whether received data waits because the backend is not writable. */
    boolean isBlockedByBackend() {
        return open && !receiveBuffer.isEmpty() && !exchange.isBackendWritable();
    }

    /** Stops forwarding the body. */
    void stop() {
        open = false;
    }

    /**
     * Sends the request whose head is in the event loop's scanner. The request includes the part of the body that was
     * already sent to another backend. If there is no such part, it includes the body data received so far.
     *
     * @return the failure that an invalid body causes; null if the body is valid so far
     */
    @Nullable Failure send(BackendSide backend) {
        ByteBuf head = composeHead();
        RetryBuffer sent = requestState.retryBuffer();
        if (!open) {
            backend.sendHead(head, head.readableBytes(), isInChunks());
            sent.sendAgain(backend);
            backend.endRequest();
            return null;
        }
        Failure fault = null;
        if (sent.hasStarted()) {
            backend.sendHead(head, head.readableBytes(), isInChunks());
            sent.sendAgain(backend);
        } else {
            sent.setMaxBytes(exchange.bodyBufferBytes());
            fault = sendWithHead(head, backend);
        }
        return fault == null ? resume() : fault;
    }

    private ByteBuf composeHead() {
        int joined = open ? Math.min(receiveBuffer.readableBytes(), SMALL_BYTES) : 0;
        return composer.compose(requestState, address, headerContext, exchange.backend(), joined);
    }

    /**
     * Sends the head, with the body received so far in the same buffer if it is small; consumes {@code head}.
     */
    private @Nullable Failure sendWithHead(ByteBuf head, BackendSide backend) {
        int headBytes = head.readableBytes();
        int available = receiveBuffer.readableBytes();
        if (available == 0 || available > SMALL_BYTES) {
            backend.sendHead(head, headBytes, isInChunks());
            return null;
        }
        ByteBuf source = receiveBuffer.bytes();
        int end = requestState.body().consume(source, source.readerIndex(), source.writerIndex());
        Failure fault = fault();
        if (fault != null) {
            head.release();
            return fault;
        }
        int length = end - source.readerIndex();
        requestState.retryBuffer().add(source, source.readerIndex(), length);
        head.writeBytes(source, length);
        receiveBuffer.dropIfRead();
        backend.sendHead(head, headBytes, isInChunks());
        continueBody();
        return null;
    }

    /** Handles a further part of the body; consumes {@code received}. */
    @Nullable Failure receive(ByteBuf received) {
        deadline.bodyReceived(received.readableBytes());
        receiveBuffer.add(received);
        return relay();
    }

    /** Continues to forward the body after the client or the backend was slow. */
    @Nullable Failure resume() {
        if (!open) {
            return null;
        }
        Failure fault = relay();
        if (fault == null && open && exchange.isBackendWritable()) {
            awaitBody();
            output.setReading(true);
        }
        return fault;
    }

    /**
     * Forwards received data for as long as the backend is writable. Sending may call this method again while the
     * backend stays writable.
     */
    private @Nullable Failure relay() {
        if (receiveBuffer.isEmpty() || requestState.body().isDone()) {
            return null;
        }
        if (!exchange.isBackendWritable()) {
            output.setReading(false); // reading and the rate measurement resume when the backend is writable
            deadline.awaitBackend();
            return null;
        }
        ByteBuf source = receiveBuffer.bytes();
        int end = requestState.body().consume(source, source.readerIndex(), source.writerIndex());
        Failure fault = fault();
        if (fault != null) {
            return fault;
        }
        requestState.retryBuffer().add(source, source.readerIndex(), end - source.readerIndex());
        requireNonNull(exchange.connection()).send(receiveBuffer.removeFirst(end - source.readerIndex()));
        continueBody();
        return null;
    }

    private @Nullable Failure fault() {
        if (requestState.body().isFaulty()) {
            return Failure.BAD_REQUEST;
        }
        return requestState.body().consumedBytes() > maxBytes ? Failure.REQUEST_TOO_LARGE : null;
    }

    private void continueBody() {
        if (!open) {
            return; // the body ended while an earlier part of it was being sent
        }
        if (requestState.body().isDone()) {
            open = false;
            deadline.expectNothing();
            requireNonNull(exchange.connection()).endRequest();
        } else if (exchange.isBackendWritable()) {
            awaitBody();
        }
    }

    /**
     * Sets the deadline for the body. After the response has begun, the idle timeout on the backend side covers
     * both directions, so the client has no deadline.
     */
    private void awaitBody() {
        if (requestState.isAnswered()) {
            deadline.expectNothing();
        } else {
            deadline.awaitBody();
        }
    }
}
