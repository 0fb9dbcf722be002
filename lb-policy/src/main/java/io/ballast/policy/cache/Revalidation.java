package io.ballast.policy.cache;

import io.ballast.http.background.BackgroundFailure;
import io.ballast.http.background.BackgroundRequest;
import io.ballast.http.background.BackgroundResponseHandler;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.policy.BackendRequest;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.LocalResponse;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.store.BodyRecording;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;
import io.ballast.policy.cache.store.Variant;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Revalidates a stale response with a background request, and answers the requests that wait for the result. Event-loop
 * confined.
 */
final class Revalidation implements BackgroundResponseHandler {

    /** The time until the backend's response must be complete. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The maximum wait of the request that starts a revalidation; a little longer than the revalidation can take. */
    static final long MAX_WAIT_NANOS = TIMEOUT.plusSeconds(1).toNanos();

    private static final int NOT_MODIFIED = 304;
    private static final int FIRST_SERVER_ERROR = 500;

    private final CollapsedForwarding forwarding;
    private final Intake intake;
    private final CacheLoop loop;
    private final PendingFetch fetch;
    private final FetchedRequest request;
    private final Variant stale;
    private final PendingFetch.@Nullable Waiter initiator;

    private int status;
    private HeaderLines lines = HeaderLines.NONE;
    /** Whether the end of the connection ends the body, so that a truncated body cannot be recognized. */
    private boolean delimitedByClose;
    /** The recorded body; null if it has become too long. */
    private @Nullable BodyRecording body;

    /**
     * @param fetch the pending fetch, which the response completes
     * @param initiator the request that causes the revalidation and waits for it; null if none waits
     */
    Revalidation(
            CollapsedForwarding forwarding,
            CacheLoop loop,
            PendingFetch fetch,
            FetchedRequest request,
            Variant stale,
            PendingFetch.@Nullable Waiter initiator) {
        this.forwarding = forwarding;
        this.intake = forwarding.intake();
        this.loop = loop;
        this.fetch = fetch;
        this.request = request;
        this.stale = stale;
        this.initiator = initiator;
    }

    /** Whether a revalidation can help: the response has a validator, or may still be used if the backend fails. */
    static boolean isUseful(Variant stale, long now) {
        StoredHead head = stale.response().head();
        return head.metadata().hasValidator() || head.validity().allowsErrors(head.residentNanos(now));
    }

    /**
     * Sends the request.
     *
     * @param composed the request as a backend would get it
     */
    void send(PolicyExchange exchange, BackendRequest composed) {
        byte[] head = RevalidationHead.compose(
                composed.head(), stale.response().head().metadata());
        BackgroundRequest sent = new BackgroundRequest(
                composed.pool(),
                composed.generation(),
                head,
                Unpooled.EMPTY_BUFFER,
                /* hashKey= */ 0,
                TIMEOUT,
                intake.maxObjectBytes());
        exchange.worker().background().send(sent, this);
    }

    @Override
    public void head(ResponseScanner head, ByteBuf bytes, BodyFraming framing) {
        status = head.status();
        delimitedByClose = framing == BodyFraming.UNTIL_CLOSE;
        lines = HeadText.read(head);
        body = intake.record(head.contentLength);
    }

    @Override
    public void body(ByteBuf data) {
        BodyRecording recording = body;
        if (recording != null && !recording.add(data.nioBuffer())) {
            discardBody();
        }
    }

    @Override
    public void end() {
        if (status == NOT_MODIFIED) {
            confirm();
        } else if (status >= FIRST_SERVER_ERROR && allowsErrors()) {
            useStale();
        } else {
            replace();
        }
    }

    @Override
    public void failed(BackgroundFailure failure) {
        if (failure == BackgroundFailure.RESPONSE_TOO_LARGE) {
            discardBody();
            intake.forget(request.key());
            forwarding.forwardWaiting(fetch);
        } else {
            fail();
        }
    }

    /** Ends the revalidation without a response. */
    void fail() {
        if (allowsErrors()) {
            useStale();
        } else {
            discardBody();
            forwarding.forwardWaiting(fetch);
        }
    }

    private boolean allowsErrors() {
        StoredHead head = stale.response().head();
        return head.validity().allowsErrors(head.residentNanos(forwarding.now()));
    }

    private void useStale() {
        discardBody();
        forwarding.complete(fetch, waiter -> forwarding.share(loop, waiter, stale, CacheOutcome.STALE));
    }

    private void discardBody() {
        BodyRecording recording = body;
        body = null;
        if (recording != null) {
            recording.discard();
        }
    }

    /** Updates the stored response, which is still valid. */
    private void confirm() {
        discardBody();
        Intake.Received updated = intake.update(stale.response().head(), lines, request);
        StoredResponse response = updated == null ? null : intake.replaceHead(stale.response(), updated.toHead());
        if (updated == null || response == null) {
            forwarding.forwardWaiting(fetch);
            return;
        }
        complete(response, updated, updated.isStorable(), CacheOutcome.REVALIDATED);
    }

    /** Stores the new response. */
    private void replace() {
        BodyRecording recording = body;
        body = null;
        Intake.Received received = intake.read(status, lines, request);
        StoredResponse response = recording == null ? null : intake.response(received.toHead(), recording.finish());
        if (response == null) {
            loop.count(CacheOutcome.UNCACHEABLE);
            intake.forget(request.key()); // otherwise each request would repeat the revalidation
            forwarding.forwardWaiting(fetch);
            return;
        }
        complete(response, received, received.isStorable() && !delimitedByClose, CacheOutcome.MISS);
    }

    /** Ends the fetch. A response that must not be stored goes only to the request that has caused the revalidation. */
    private void complete(StoredResponse response, Intake.Received received, boolean isStorable, CacheOutcome outcome) {
        Variant stored = isStorable ? intake.store(request, response) : null;
        loop.count(stored == null ? CacheOutcome.UNCACHEABLE : CacheOutcome.STORED);
        if (!isStorable && status < FIRST_SERVER_ERROR) {
            intake.forget(request.key());
        }
        CacheOutcome shared = outcome == CacheOutcome.MISS ? CacheOutcome.HIT : outcome;
        forwarding.complete(
                fetch,
                waiter -> waiter.equals(initiator)
                        ? forInitiator(waiter, response, received, outcome)
                        : forwarding.share(loop, waiter, stored, shared));
        response.release();
    }

    /**
     * Answers the request that has caused the revalidation; only the client of that request gets the cookies of the
     * response.
     */
    private Continuation forInitiator(
            PendingFetch.Waiter waiter, StoredResponse response, Intake.Received received, CacheOutcome outcome) {
        StoredResponse own = lines.has("set-cookie") ? intake.replaceHead(response, received.toHead(lines)) : null;
        LocalResponse answer =
                forwarding.hits().answer(own == null ? response : own, ClientConditions.of(waiter.lines()), outcome);
        if (own != null) {
            own.release(); // the answer has its own reference
        }
        if (answer == null) {
            return forwarding.decideWithoutWait();
        }
        loop.count(outcome);
        return answer;
    }
}
