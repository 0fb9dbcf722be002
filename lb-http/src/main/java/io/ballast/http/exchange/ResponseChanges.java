package io.ballast.http.exchange;

import static java.util.Objects.requireNonNull;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ComposedTransform;
import io.ballast.http.transform.ResponseEdit;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The changes that policies make to a response, one policy after another. A policy may need time for its decision. One
 * object serves all responses of a client connection or stream. Event-loop confined.
 */
final class ResponseChanges {

    /** Disables the limits, because the head was already checked against the limits of its source. */
    private static final HeadLimits NO_LIMITS =
            new HeadLimits(Integer.MAX_VALUE / 2, Integer.MAX_VALUE / 2, Integer.MAX_VALUE / 2, Integer.MAX_VALUE);

    private final Worker worker;
    private final ClientSide client;
    private final ResponseEdit edit = new ResponseEdit();
    private final ResponseScanner kept = new ResponseScanner();

    private @Nullable PolicyExchange policies;
    private ResponseScanner head = kept;
    private BodyFraming framing = BodyFraming.NONE;
    private @Nullable BodyTransform transform;
    private boolean changed;
    private long receivedBytes;
    private int count;
    /** The index of the next policy. */
    private int next;
    /** Whether the next policy has been prepared. */
    private boolean prepared;

    ResponseChanges(Worker worker, ClientSide client) {
        this.worker = worker;
        this.client = client;
    }

    /** Starts the changes of a response. The head must stay valid until the following {@link #proceed} returns. */
    void begin(PolicyExchange deciding, ResponseScanner received, BodyFraming body) {
        policies = deciding;
        head = received;
        framing = body;
        transform = null;
        changed = false;
        receivedBytes = received.contentLength;
        count = deciding.beginResponse();
        next = 0;
        prepared = false;
    }

    /**
     * Lets the policies change the head.
     *
     * @return null after the last policy; otherwise a future for which the next policy waits. When it completes, this
     *     method must be called again. In this case, the head was copied.
     */
    @Nullable CompletableFuture<?> proceed() {
        PolicyExchange deciding = requireNonNull(policies);
        RequestProperties request = client.request();
        while (next < count) {
            edit.begin(head, framing, request.isHead(), request.allowsUnknownLength());
            CompletableFuture<?> wait = prepared ? null : deciding.prepareResponse(next, edit);
            if (wait != null) {
                prepared = true;
                keepHead();
                return wait;
            }
            prepared = false;
            apply(deciding.respond(next, edit));
            next++;
        }
        policies = null;
        return null;
    }

    private void apply(@Nullable BodyTransform added) {
        if (added != null) {
            framing = added.keepsLength() ? framing : announceUnknownLength();
            transform = transform == null ? added : new ComposedTransform(transform, added, worker.allocator());
        }
        if (!edit.isEmpty()) {
            edit.apply();
            changed = true;
        }
    }

    private BodyFraming announceUnknownLength() {
        edit.removeFraming();
        if (client.framesBodies()) {
            return BodyFraming.STREAM;
        }
        edit.addChunkedCoding();
        return BodyFraming.CHUNKED;
    }

    /** Copies the head, whose bytes may belong to a scanner of the event loop. */
    private void keepHead() {
        byte[] bytes = Arrays.copyOf(head.bytes, head.end + FieldScanner.SLACK);
        kept.scan(bytes, head.end, NO_LIMITS);
        head = kept;
    }

    /** The head with the changes so far. */
    ResponseScanner head() {
        return head;
    }

    /** How the changed body ends. */
    BodyFraming framing() {
        return framing;
    }

    /** Whether the head was changed. */
    boolean isChanged() {
        return changed;
    }

    /** The length of the received body; negative if it is unknown. */
    long receivedBytes() {
        return receivedBytes;
    }

    /** Returns the transform of the body, which the caller then owns; null if the body is unchanged. */
    @Nullable BodyTransform takeTransform() {
        BodyTransform taken = transform;
        transform = null;
        return taken;
    }

    /** Releases all resources, because the response has ended. */
    void stop() {
        policies = null;
        BodyTransform unused = takeTransform();
        if (unused != null) {
            unused.release();
        }
    }
}
