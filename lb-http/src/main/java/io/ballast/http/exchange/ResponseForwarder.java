package io.ballast.http.exchange;

import static java.util.Objects.requireNonNull;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.transform.BodyTransform;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the response of an exchange to the client, with the changes of policies if there are some. Without such a
 * policy, the response is passed on unchanged, which costs one comparison. Event-loop confined.
 */
final class ResponseForwarder {

    private static final long UNKNOWN_LENGTH = -1;

    private final Worker worker;
    private final ClientSide client;
    private final Runnable onProcessed;
    private final Runnable onComplete;
    private final Runnable onRejected;
    /** Created for the first response that a policy may change. */
    private @Nullable ResponseChanges changes;
    /** The response that waits for a policy; null if no response waits. */
    private @Nullable HeldResponse held;
    /** Created for the first local response. */
    private @Nullable LocalHead localHead;
    /** The changed body of the current response; null if its body is not changed. */
    private @Nullable TransformedBody transformed;
    /** Incremented whenever a response ends. */
    private int generation;
    /** Whether the client has disconnected, and a policy receives the rest of the response. */
    private boolean detached;

    /**
     * @param onProcessed called when the transform has processed all received data
     * @param onComplete called when the client has got the whole response, if {@link #end} returned false
     * @param onRejected called if a policy could not evaluate the response; no part of the response was forwarded
     */
    ResponseForwarder(
            Worker worker, ClientSide client, Runnable onProcessed, Runnable onComplete, Runnable onRejected) {
        this.worker = worker;
        this.client = client;
        this.onProcessed = onProcessed;
        this.onComplete = onComplete;
        this.onRejected = onRejected;
    }

    /** Forwards the head and the first part of the body; see {@link ClientSide#responseHead}. */
    void head(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        PolicyExchange policies = client.responsePolicies();
        if (policies == null) {
            client.responseHead(head, received, bodyBytes, framing);
            return;
        }
        ResponseChanges change = changes();
        change.begin(policies, head, framing);
        CompletableFuture<?> wait = change.proceed();
        if (wait == null) {
            forward(change, received, bodyBytes, framing);
        } else {
            HeldResponse waiting = new HeldResponse(received, bodyBytes, framing);
            held = waiting;
            await(wait, waiting);
        }
    }

    private ResponseChanges changes() {
        ResponseChanges known = changes;
        if (known == null) {
            known = new ResponseChanges(worker, client);
            changes = known;
        }
        return known;
    }

    /** Forwards a head with its changes, and passes the body through the transforms of the policies. */
    private void forward(ResponseChanges change, ByteBuf received, int bodyBytes, BodyFraming framing) {
        BodyTransform transform = change.takeTransform();
        ResponseScanner head = change.head();
        if (transform != null) {
            transform(transform, head, received, bodyBytes, framing, change.framing(), change.receivedBytes());
        } else if (change.isChanged()) {
            ByteBuf changed = copy(head, bodyBytes);
            changed.writeBytes(received, received.writerIndex() - bodyBytes, bodyBytes);
            received.release();
            client.responseHead(head, changed, bodyBytes, framing);
        } else {
            client.responseHead(head, received, bodyBytes, framing);
        }
    }

    /** The head of a local response, which the caller passes to {@link #head}. */
    LocalHead localHead() {
        LocalHead known = localHead;
        if (known == null) {
            known = new LocalHead();
            localHead = known;
        }
        return known;
    }

    private void await(CompletableFuture<?> wait, HeldResponse waiting) {
        waiting.waitFor(wait);
        wait.whenComplete((unused, failure) ->
                worker.eventLoop().execute(() -> continueHeld(waiting, /* rejected= */ failure != null)));
    }

    /** Continues with a response after a policy has evaluated it; does nothing if the response has ended. */
    private void continueHeld(HeldResponse waiting, boolean rejected) {
        if (held != waiting) {
            return;
        }
        worker.readClock();
        if (rejected) {
            onRejected.run();
            return;
        }
        ResponseChanges change = changes();
        CompletableFuture<?> wait = change.proceed();
        if (wait != null) {
            await(wait, waiting);
            return;
        }
        held = null;
        int current = generation;
        forward(change, requireNonNull(waiting.take()), waiting.bodyBytes(), waiting.framing());
        if (current != generation) {
            return; // the client has disconnected
        }
        flush();
        if (!waiting.hasEnded()) {
            onProcessed.run();
        } else if (transformed == null || transformed.end()) {
            onComplete.run();
        }
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
                onComplete,
                onRejected);
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
        if (held != null) {
            held.add(data, worker.allocator());
        } else if (transformed == null) {
            client.responseBody(data);
        } else {
            transformed.add(data);
        }
    }

    /** Flushes the forwarded data at the end of a read round. */
    void flush() {
        if (held != null) {
            return;
        }
        if (transformed != null) {
            transformed.flush();
        }
        if (!detached) {
            client.flush();
        }
    }

    /** Whether more of the response may be read from the backend. */
    boolean isWritable() {
        if (transformed == null) {
            return held == null && client.isWritable();
        }
        return transformed.isProcessed() && (transformed.absorbs() || client.isWritable());
    }

    /** Continues when the client is writable again; returns whether more may be read from the backend. */
    boolean resume() {
        return held == null && (transformed == null || transformed.resume());
    }

    /** The number of received bytes that wait for a policy or the transform. */
    long pendingBytes() {
        return held != null ? held.bodyBytes() : transformed == null ? 0 : transformed.pendingBytes();
    }

    /** Ends the body; false if a policy has not decided, or the transform has not written the whole body yet. */
    boolean end() {
        if (held != null) {
            held.end();
            return false;
        }
        return transformed == null || transformed.end();
    }

    /**
     * Continues the response only for a policy, because the client has disconnected.
     *
     * @return false if no policy needs the rest of the response
     */
    boolean detach() {
        detached = transformed != null && transformed.detach();
        return detached;
    }

    /** Whether a policy needs the rest of the response although the client has disconnected. */
    boolean outlivesClient() {
        return transformed != null && transformed.outlivesClient();
    }

    /** Releases all resources of the current response. */
    void stop() {
        generation++;
        detached = false;
        if (held != null) {
            held.drop();
            held = null;
        }
        if (changes != null) {
            changes.stop();
        }
        if (transformed != null) {
            transformed.stop();
            transformed = null;
        }
    }
}
