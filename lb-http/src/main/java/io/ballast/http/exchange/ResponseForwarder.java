package io.ballast.http.exchange;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ComposedTransform;
import io.ballast.http.transform.ResponseEdit;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the response of an exchange to the client, with the changes of policies if there are some. Without such a
 * policy, everything is passed on unchanged and costs one comparison. Event-loop confined.
 */
final class ResponseForwarder {

    private static final long UNKNOWN_LENGTH = -1;

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
        change(policies, head, received, bodyBytes, framing);
    }

    /** Lets each policy that asked change the head, and passes the body through their transforms. */
    private void change(
            PolicyExchange policies, ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        ResponseEdit changes = edit();
        RequestProperties request = client.request();
        long receivedBytes = head.contentLength;
        boolean isChanged = false;
        BodyTransform transform = null;
        BodyFraming current = framing;
        int count = policies.beginResponse();
        for (int i = 0; i < count; i++) {
            changes.begin(head, current, request.isHead(), request.allowsUnknownLength());
            BodyTransform next = policies.respond(i, changes);
            if (next != null) {
                current = next.keepsLength() ? current : announceUnknownLength(changes);
                transform = transform == null ? next : new ComposedTransform(transform, next, worker.allocator());
            }
            if (!changes.isEmpty()) {
                changes.apply();
                isChanged = true;
            }
        }
        if (transform != null) {
            transform(transform, head, received, bodyBytes, framing, current, receivedBytes);
        } else if (isChanged) {
            ByteBuf changed = copy(head, bodyBytes);
            changed.writeBytes(received, received.writerIndex() - bodyBytes, bodyBytes);
            received.release();
            client.responseHead(head, changed, bodyBytes, framing);
        } else {
            client.responseHead(head, received, bodyBytes, framing);
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

    private BodyFraming announceUnknownLength(ResponseEdit changes) {
        changes.removeFraming();
        if (client.framesBodies()) {
            return BodyFraming.STREAM;
        }
        changes.addChunkedCoding();
        return BodyFraming.CHUNKED;
    }

    /**
     * Forwards the head, and starts the transform of the body.
     *
     * @param from how the received body ends
     * @param to how the written body ends
     * @param receivedBytes the length of the received body; negative if it is unknown
     */
    private void transform(
            BodyTransform transform,
            ResponseScanner head,
            ByteBuf received,
            int bodyBytes,
            BodyFraming from,
            BodyFraming to,
            long receivedBytes) {
        boolean inChunks = to == BodyFraming.CHUNKED && !client.framesBodies();
        TransformedBody body = new TransformedBody(
                worker,
                client,
                transform,
                from == BodyFraming.CHUNKED,
                inChunks,
                transform.keepsLength() ? UNKNOWN_LENGTH : receivedBytes,
                onProcessed,
                onComplete);
        transformed = body;
        client.responseHead(
                head,
                copy(head, /* more= */ 0),
                /* bodyBytes= */ 0,
                to == BodyFraming.CHUNKED && !inChunks ? BodyFraming.STREAM : to);
        received.readerIndex(received.writerIndex() - bodyBytes);
        body.add(received);
    }

    private ByteBuf copy(ResponseScanner head, int more) {
        return worker.allocator().directBuffer(head.end + more).writeBytes(head.bytes, 0, head.end);
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
