package io.ballast.http.exchange;

import static java.util.Objects.requireNonNull;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Passes bodies between a client and the connection to its backend. Each side is read only while the other
 * side is writable, so that data does not accumulate in between. One object serves all exchanges of a client
 * connection, one after the other. Event-loop confined.
 */
public final class BodyRelay {

    private final ClientSide client;
    private @Nullable BackendSide backend;
    private boolean sending;

    BodyRelay(ClientSide client) {
        this.client = client;
    }

    void connect(BackendSide connection) {
        backend = connection;
    }

    /** Detaches the connection, and returns it if there was one. */
    @Nullable BackendSide disconnect() {
        BackendSide before = backend;
        backend = null;
        return before;
    }

    // ---- the request

    /** Whether a backend accepts more of the request body now. */
    public boolean isBackendWritable() {
        return backend != null && backend.isWritable();
    }

    /** Bytes waiting to be sent to the backend. */
    public long pendingBytes() {
        return backend == null ? 0 : backend.pendingBytes();
    }

    /** Sends more of the request body; consumes {@code data}. */
    public void sendRequestBody(ByteBuf data) {
        requireNonNull(backend).send(data);
    }

    /** Sends the trailer lines of a body that is not chunked. */
    public void sendRequestTrailers(byte[] lines) {
        requireNonNull(backend).sendTrailers(lines);
    }

    /** Called when the request body is complete. */
    public void endRequest() {
        requireNonNull(backend).endRequest();
    }

    /**
     * Sets whether the client is passing the head and the first part of its request to the backend. During this
     * time, a write can report that the backend is writable again. Such a report is ignored, because resuming
     * would reorder or duplicate parts of the body. The client continues with the body after it has sent this
     * first part.
     */
    void sending(boolean on) {
        sending = on;
    }

    /** Called when the backend accepts more of the request body again. */
    public void backendWritable() {
        if (!sending) {
            client.resumeRequest();
        }
    }

    // ---- the response

    void informational(ResponseScanner head, ByteBuf received) {
        client.informational(head, received);
        throttle();
    }

    void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        client.responseHead(head, received, bodyBytes, framing);
        throttle();
    }

    /** Passes on more of the response body; consumes {@code data}. */
    public void responseBody(ByteBuf data) {
        client.responseBody(data);
        throttle();
    }

    /** Whether the client's protocol needs no chunked coding: see {@link ClientSide#framesBodies}. */
    public boolean clientFramesBodies() {
        return client.framesBodies();
    }

    /** Passes on the trailer lines of a body that was not in chunks. */
    public void responseTrailers(byte[] lines) {
        client.responseTrailers(lines);
    }

    /** Called at the end of one read from the backend; flushes to the client. */
    public void responseReadComplete() {
        client.flush();
    }

    private void throttle() {
        BackendSide current = backend;
        if (current != null && !client.isWritable()) {
            current.setReading(false);
        }
    }

    /** Called when the client accepts more of the response again. */
    public void clientWritable() {
        if (backend != null) {
            backend.setReading(true);
        }
    }
}
