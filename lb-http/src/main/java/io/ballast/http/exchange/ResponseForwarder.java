package io.ballast.http.exchange;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the response of an exchange to the client, with the changes of a policy if there is one. Without such a
 * policy, everything is passed on unchanged and costs one comparison. Event-loop confined.
 */
final class ResponseForwarder {

    private final Worker worker;
    private final ClientSide client;
    private final Runnable onProcessed;
    private final Runnable onComplete;
    /** Created for the first response that a policy may change. */
    private @Nullable ResponseEdit edit;
    /** The changed body of the current response; null if its body is not changed. */
    private @Nullable TransformedBody transformed;

    /**
     * @param onProcessed called when the transform has caught up with the backend
     * @param onComplete called when the client has got the whole response, if {@link #end} returned false
     */
    ResponseForwarder(Worker worker, ClientSide client, Runnable onProcessed, Runnable onComplete) {
        this.worker = worker;
        this.client = client;
        this.onProcessed = onProcessed;
        this.onComplete = onComplete;
    }

    /** Forwards the head and the first part of the body; see {@link ClientSide#responseHead}. */
    void head(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        PolicyExchange policies = client.responsePolicies();
        if (policies == null) {
            client.responseHead(head, received, bodyBytes, framing);
            return;
        }
        ResponseEdit changes = edit();
        RequestProperties request = client.request();
        changes.begin(head, framing, request.isHead(), request.allowsUnknownLength());
        BodyTransform transform = policies.respond(changes);
        if (transform != null) {
            transform(changes, transform, received, bodyBytes, framing);
        } else if (changes.isEmpty()) {
            client.responseHead(head, received, bodyBytes, framing);
        } else {
            ByteBuf changed = buffer(changes.apply(), bodyBytes);
            changed.writeBytes(received, received.writerIndex() - bodyBytes, bodyBytes);
            received.release();
            client.responseHead(head, changed, bodyBytes, framing);
        }
    }

    private ResponseEdit edit() {
        ResponseEdit known = edit;
        if (known == null) {
            known = new ResponseEdit();
            edit = known;
        }
        return known;
    }

    private void transform(
            ResponseEdit changes, BodyTransform transform, ByteBuf received, int bodyBytes, BodyFraming framing) {
        boolean isLengthKnown = changes.head().contentLength >= 0;
        boolean inChunks = !client.framesBodies();
        changes.removeFraming();
        if (inChunks) {
            changes.addChunkedCoding();
        }
        TransformedBody body = new TransformedBody(
                worker,
                client,
                transform,
                framing == BodyFraming.CHUNKED,
                inChunks,
                /* flushes= */ !isLengthKnown,
                onProcessed,
                onComplete);
        transformed = body;
        ByteBuf changed = buffer(changes.apply(), /* more= */ 0);
        client.responseHead(
                changes.head(), changed, /* bodyBytes= */ 0, inChunks ? BodyFraming.CHUNKED : BodyFraming.STREAM);
        received.readerIndex(received.writerIndex() - bodyBytes);
        body.add(received);
    }

    private ByteBuf buffer(ByteAppender head, int more) {
        return worker.allocator().directBuffer(head.length() + more).writeBytes(head.bytes(), 0, head.length());
    }

    /** Forwards a part of the body; consumes {@code data}. */
    void body(ByteBuf data) {
        if (transformed == null) {
            client.responseBody(data);
        } else {
            transformed.add(data);
        }
    }

    /** Flushes the forwarded data at the end of a read round. */
    void flush() {
        if (transformed != null) {
            transformed.flush();
        }
        client.flush();
    }

    /** Whether more of the response may be read from the backend. */
    boolean isWritable() {
        return client.isWritable() && (transformed == null || transformed.isProcessed());
    }

    /** Continues when the client is writable again; returns whether more may be read from the backend. */
    boolean resume() {
        return transformed == null || transformed.resume();
    }

    /** The number of received bytes that wait for the transform. */
    long pendingBytes() {
        return transformed == null ? 0 : transformed.pendingBytes();
    }

    /** Ends the body; false if the transform has not written all of it yet. */
    boolean end() {
        return transformed == null || transformed.end();
    }

    /** Releases all resources of the current response. */
    void stop() {
        if (transformed != null) {
            transformed.stop();
            transformed = null;
        }
    }
}
