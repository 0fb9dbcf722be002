package io.ballast.http.background.exchange;

import io.ballast.http.background.BackgroundCall;
import io.ballast.http.background.BackgroundFailure;
import io.ballast.http.background.BackgroundRequest;
import io.ballast.http.background.BackgroundResponseHandler;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.h1.wire.ChunkReader;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One background request. It takes the place of a client connection in an exchange. The response needs no flow control,
 * because its length is limited and the handler accepts every part immediately. Event-loop confined.
 */
final class BackgroundExchange implements ClientSide, RequestProperties, BackgroundCall {

    private final Worker worker;
    private final BackgroundRequest request;
    private final RequestMethod method;
    private final int bodyBytes;
    private final BackgroundResponseHandler handler;
    private final Consumer<BackgroundExchange> onEnd;
    private final Exchange exchange;
    private final Deadline deadline = new Deadline();

    private boolean ended;
    /** Whether the body of the request is still needed for a retry. */
    private boolean holdsBody = true;
    /** Removes the chunked coding of the response body; null if it has none. */
    private @Nullable ChunkReader chunks;

    private long receivedBytes;

    /** @param onEnd called once when the request has ended, before the handler is notified */
    BackgroundExchange(
            Worker worker,
            ConnectionSource connections,
            Listener listener,
            BackgroundRequest request,
            RequestMethod method,
            BackgroundResponseHandler handler,
            Consumer<BackgroundExchange> onEnd) {
        this.worker = worker;
        this.request = request;
        this.method = method;
        this.bodyBytes = request.body().readableBytes();
        this.handler = handler;
        this.onEnd = onEnd;
        long key = request.hashKey() == 0 ? worker.random().nextLong() : request.hashKey();
        this.exchange = new Exchange(
                worker,
                connections,
                listener,
                ClientDeadlines.DEFAULT,
                this,
                /* proxiedClient= */ null,
                new ClientKeys(key));
    }

    /** Starts the request. It may end during this call. */
    void begin() {
        worker.setDeadline(deadline, request.timeout());
        exchange.begin(request.pool(), request.generation());
    }

    // ---- the end

    @Override
    public void abort() {
        if (end()) {
            exchange.abort(Failure.CLIENT_GONE);
        }
    }

    /** Ends the request because the process stops. */
    void stop() {
        abort(Failure.CLIENT_GONE, BackgroundFailure.STOPPED);
    }

    private void abort(Failure reason, BackgroundFailure failure) {
        if (end()) {
            exchange.abort(reason);
            handler.failed(failure);
        }
    }

    /** Marks the request as ended; returns false if it had already ended. */
    private boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        worker.deadlines().remove(deadline);
        releaseBody();
        onEnd.accept(this);
        return true;
    }

    private void releaseBody() {
        if (holdsBody) {
            holdsBody = false;
            request.body().release();
        }
    }

    // ---- the request

    @Override
    public void sendRequest(BackendSide backend) {
        byte[] head = request.head();
        ByteBuf bytes = worker.allocator().directBuffer(head.length).writeBytes(head);
        backend.sendHead(bytes, head.length, /* inChunks= */ false);
        if (bodyBytes > 0) {
            backend.send(request.body().retainedDuplicate());
        }
        backend.endRequest();
    }

    @Override
    public boolean canSendAgain() {
        return holdsBody;
    }

    @Override
    public boolean isFirstRequest() {
        return false;
    }

    @Override
    public void resumeRequest() {} // the request was already passed on as a whole

    @Override
    public RequestProperties request() {
        return this;
    }

    @Override
    public RequestMethod method() {
        return method;
    }

    @Override
    public long announcedBodyBytes() {
        return bodyBytes;
    }

    @Override
    public @Nullable UpgradeProtocol upgrade() {
        return null;
    }

    // ---- the response

    @Override
    public void informational(ResponseScanner head, ByteBuf received) {
        received.release();
    }

    @Override
    public void responseHead(ResponseScanner head, ByteBuf received, int firstBytes, BodyFraming framing) {
        releaseBody();
        if (framing != BodyFraming.NONE && head.contentLength > request.maxResponseBodyBytes()) {
            received.release();
            abort(Failure.CLIENT_GONE, BackgroundFailure.RESPONSE_TOO_LARGE);
            return;
        }
        chunks = framing == BodyFraming.CHUNKED ? new ChunkReader(this::receive) : null;
        handler.head(head, received.readSlice(received.readableBytes() - firstBytes), framing);
        responseBody(received);
    }

    @Override
    public boolean framesBodies() {
        return true; // so that an HTTP/2 connection does not add chunked coding
    }

    @Override
    public void responseBody(ByteBuf data) {
        if (ended || chunks == null) {
            receive(data);
        } else {
            chunks.read(data);
            data.release();
        }
    }

    /** Passes a part of the body to the handler, after chunked coding was removed. Consumes {@code data}. */
    private void receive(ByteBuf data) {
        receivedBytes += data.readableBytes();
        if (!ended && receivedBytes > request.maxResponseBodyBytes()) {
            abort(Failure.CLIENT_GONE, BackgroundFailure.RESPONSE_TOO_LARGE);
        } else if (!ended && data.isReadable()) {
            handler.body(data);
        }
        data.release();
    }

    @Override
    public void flush() {}

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public void responseEnd() {
        if (end()) {
            handler.end();
        }
    }

    @Override
    public TunnelSide tunnel(ResponseScanner head, ByteBuf received) {
        received.release();
        throw new IllegalStateException("a background request cannot switch protocols");
    }

    @Override
    public void fail(Failure failure) {
        if (end()) {
            handler.failed(reason(failure));
        }
    }

    private static BackgroundFailure reason(Failure failure) {
        return switch (failure) {
            case MAINTENANCE, NONE_UP, NONE_LEFT, QUEUE_FULL, QUEUE_TIMEOUT -> BackgroundFailure.NO_BACKEND;
            default -> BackgroundFailure.BACKEND_FAILED;
        };
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            abort(Failure.EXCHANGE_TIMEOUT, BackgroundFailure.TIMEOUT);
        }
    }
}
