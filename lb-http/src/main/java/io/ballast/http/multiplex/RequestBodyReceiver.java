package io.ballast.http.multiplex;

import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.head.HeadError;
import io.ballast.http.policy.BodyRead;
import io.ballast.http.policy.RequestBody;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.RequestState;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Receives the body of a request: checks its length, forwards it to the backend or the tunnel, and gives the client
 * flow-control credit. Event-loop confined.
 */
public final class RequestBodyReceiver {

    private final ClientStream stream;
    private final MultiplexedConnection connection;
    private final Exchange exchange;
    private final RequestState requestState;
    private final StreamDeadline deadline;
    private final RequestBodyCounter counter = new RequestBodyCounter();
    private final RequestWindow window;
    private final RequestBodyForwarder forwarder;
    private final long maxBytes;
    /** A policy that waits for the body; null for none. */
    private @Nullable BodyRead read;
    /** The number of held bytes for which the client got credit, because a policy waits for more. */
    private int creditedEarly;

    RequestBodyReceiver(
            ClientStream stream,
            MultiplexedConnection connection,
            Exchange exchange,
            RequestState requestState,
            StreamDeadline deadline,
            RequestWindow window) {
        this.stream = stream;
        this.connection = connection;
        this.exchange = exchange;
        this.requestState = requestState;
        this.deadline = deadline;
        this.window = window;
        this.forwarder =
                new RequestBodyForwarder(connection.loop().worker.allocator(), exchange, requestState.retryBuffer());
        this.maxBytes = connection.settings().config().limits().bodyBytes();
    }

    /** Starts a stream. */
    void begin(long id) {
        counter.begin();
        window.begin(id);
        read = null;
        creditedEarly = 0;
    }

    /** Sets the announced length; negative if it is unknown. */
    void expect(long length, boolean endsStream) {
        counter.setExpectedLength(length);
        boolean isTunnel = stream.clientTunnel() != null;
        forwarder.begin(/* hasUnknownLength= */ !endsStream && !isTunnel && length < 0, /* hasBody= */ !endsStream);
        if (isTunnel) {
            forwarder.stop(); // tunnel data is not a body
        }
    }

    /** Called when it becomes known that the request has no body. */
    void expectNone() {
        forwarder.begin(/* hasUnknownLength= */ false, /* hasBody= */ false);
    }

    /**
     * Receives the DATA bytes {@code source[at, at + length)}, which are valid only during the call, from a frame
     * of {@code frameBytes}.
     */
    public void receive(ByteBuf source, int at, int length, int frameBytes, boolean endsStream) {
        boolean fits = counter.receive(length, endsStream);
        requestState.bodyReceived(length);
        if (!window.receive(frameBytes)) {
            connection.resetStream(stream, StreamError.FLOW_CONTROL);
            return;
        }
        if (!fits) {
            stream.resetMalformed(HeadError.WRONG_BODY_LENGTH.text);
            return;
        }
        if (endsStream) {
            forwarder.end(/* lines= */ null);
        }
        StreamTunnel tunnel = stream.clientTunnel();
        if (tunnel != null) {
            credit(frameBytes - length);
            tunnel.received(source, at, length);
            return;
        }
        if (!forwarder.isOpen()) {
            discardRest(frameBytes, endsStream);
            return;
        }
        if (counter.bytes() > maxBytes) {
            stream.stopRequest(Failure.REQUEST_TOO_LARGE);
            return;
        }
        if (stream.isServing()) {
            deadline.bodyReceived(length);
        }
        forwarder.receive(source, at, length);
        credit(frameBytes - length);
        proceedReading();
        stream.bodyReceived();
    }

    /** Discards body data after the response has been started or sent; ends the stream when the body ends. */
    private void discardRest(int frameBytes, boolean endsStream) {
        if (exchange.isRunning() || !stream.response().isEndSent()) {
            credit(frameBytes);
        } else if (endsStream) {
            stream.endStream();
        }
    }

    /** Receives the trailers in {@link MultiplexLoop#trailers}, which end the request. */
    public void receiveTrailers() {
        if (stream.clientTunnel() != null) {
            connection.resetStream(stream, StreamError.MALFORMED); // a tunnel has no trailers (RFC 9113 section 8.5)
            return;
        }
        if (!counter.isComplete()) {
            stream.resetMalformed(HeadError.WRONG_BODY_LENGTH.text);
            return;
        }
        forwarder.end(connection.loop().trailers.lines());
        if (!forwarder.isOpen()) {
            discardRest(/* frameBytes= */ 0, /* endsStream= */ true);
        } else {
            proceedReading();
            stream.bodyReceived();
        }
    }

    /** Reads the body for a policy. All data is held until the request is forwarded. */
    void read(BodyRead wanted) {
        read = wanted;
        deadline.awaitBody();
        proceedReading();
    }

    private void proceedReading() {
        BodyRead wanted = read;
        if (wanted == null) {
            return;
        }
        int held = forwarder.bufferedBytes();
        boolean tooLong = held > wanted.maxBytes();
        if (tooLong || forwarder.hasEnded()) {
            stopReading();
            wanted.result().complete(new RequestBody(forwarder.copyHeld(wanted.maxBytes()), !tooLong));
        } else {
            int uncredited = held - creditedEarly;
            creditedEarly = held;
            credit(uncredited);
        }
    }

    /** Ends the wait of a policy for the body; does nothing if no policy waits. */
    void stopReading() {
        if (read != null) {
            read = null;
            deadline.expectNoBody();
        }
    }

    /** Gives the client credit for forwarded data, minus the credit that it got early. */
    private void creditForwarded(int bytes) {
        int before = Math.min(bytes, creditedEarly);
        creditedEarly -= before;
        credit(bytes - before);
    }

    /** Gives the client flow-control credit for {@code bytes}. */
    void credit(int bytes) {
        window.credit(bytes, forwarder.hasEnded());
    }

    /** Starts the deadline for more body data, if any is expected. */
    void awaitMore() {
        if (stream.isOpen() && exchange.isRunning() && forwarder.isMoreExpected()) {
            deadline.awaitBody();
        } else {
            deadline.expectNoBody();
        }
    }

    /** Sends a request to a backend, with the body data received so far. */
    void send(StreamRequest request, BackendSide backend) {
        ByteBuf composed = request.compose(exchange.backend(), forwarder.joinableBytes());
        creditForwarded(forwarder.begin(composed, backend, exchange.bodyBufferBytes()));
        awaitMore();
    }

    /** Forwards held data while the backend is writable. */
    void forwardHeld() {
        int passed = forwarder.forwardHeld();
        if (passed > 0) {
            connection.guard().creditBodyBytes(passed);
            creditForwarded(passed);
        }
        awaitMore();
    }

    /** Whether the whole body has been received. */
    public boolean hasEnded() {
        return forwarder.hasEnded();
    }

    /** Whether the body has ended without data and trailers, and nothing was forwarded. */
    boolean isBodiless() {
        return forwarder.isBodiless();
    }

    int bufferedBytes() {
        return forwarder.bufferedBytes();
    }

    /** Stops forwarding and releases buffered data. */
    void stop() {
        read = null;
        forwarder.stop();
    }
}
