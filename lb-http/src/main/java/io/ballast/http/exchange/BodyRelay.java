package io.ballast.http.exchange;

import static java.util.Objects.requireNonNull;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What flows between a client and the connection to a backend that serves it. Each side is read only while the other
 * takes in what came, so that nothing piles up in between. One object serves all exchanges of a client connection, one
 * after the other. Event-loop confined.
 */
public final class BodyRelay {

    private final ClientSide client;
    private @Nullable BackendSide link;
    private boolean sending;

    BodyRelay(ClientSide client) {
        this.client = client;
    }

    void connect(BackendSide connection) {
        link = connection;
    }

    /** Lets go of the connection, and returns it if there was one. */
    @Nullable BackendSide disconnect() {
        BackendSide before = link;
        link = null;
        return before;
    }

    // ---- the request

    /** Whether a backend accepts more of the request body now. */
    public boolean isBackendWritable() {
        return link != null && link.isWritable();
    }

    /** Octets that wait to be sent to the backend. */
    public long pendingBytes() {
        return link == null ? 0 : link.pendingBytes();
    }

    /** Sends more of the request body; consumes {@code data}. */
    public void requestBody(ByteBuf data) {
        requireNonNull(link).send(data);
    }

    /** The lines of the trailers of a body that is not in chunks. */
    public void requestTrailers(byte[] lines) {
        requireNonNull(link).trailers(lines);
    }

    /** The request body is complete. */
    public void requestEnd() {
        requireNonNull(link).requestSent();
    }

    /**
     * The client is handing the head and the first part of its request to the backend. A write can report in the middle of that
     * that the backend takes more again. Resuming then would put later parts of the body before, or twice among, those that are
     * being handed over, so the report is ignored: the client goes on with the body itself at the end.
     */
    void sending(boolean on) {
        sending = on;
    }

    /** The backend takes more of the request body again. */
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

    /** More of the response body came; consumes {@code data}. */
    public void responseBody(ByteBuf data) {
        client.responseBody(data);
        throttle();
    }

    /** Whether the client needs no chunks: see {@link ClientSide#framesBodies}. */
    public boolean clientFramesBodies() {
        return client.framesBodies();
    }

    /** The lines of the trailers came, of a body that was not in chunks. */
    public void responseTrailers(byte[] lines) {
        client.responseTrailers(lines);
    }

    /** What came in one go was handed over. */
    public void responsePause() {
        client.flush();
    }

    private void throttle() {
        BackendSide current = link;
        if (current != null && !client.isWritable()) {
            current.reading(false);
        }
    }

    /** The client takes more of the response again. */
    public void clientWritable() {
        if (link != null) {
            link.reading(true);
        }
    }
}
