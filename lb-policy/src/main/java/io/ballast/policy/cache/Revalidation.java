package io.ballast.policy.cache;

import io.ballast.http.background.BackgroundFailure;
import io.ballast.http.background.BackgroundResponseHandler;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.LocalResponse;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.store.BodyRecording;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;
import io.ballast.policy.cache.store.Variant;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Receives the response to a revalidation, and answers the requests that wait for it. Event-loop confined. */
final class Revalidation implements BackgroundResponseHandler {

    private static final int NOT_MODIFIED = 304;
    private static final int FIRST_SERVER_ERROR = 500;

    private final CachePolicy policy;
    private final CacheLoop loop;
    private final PendingFetch fetch;
    private final FetchedRequest request;
    private final Variant stale;
    private final PendingFetch.@Nullable Waiter initiator;

    private int status;
    private HeaderLines lines = HeaderLines.NONE;
    /** Whether the body may be truncated. */
    private boolean delimitedByClose;
    /** The recorded body; null if it has become too long. */
    private @Nullable BodyRecording body;

    Revalidation(
            CachePolicy policy,
            CacheLoop loop,
            PendingFetch fetch,
            FetchedRequest request,
            Variant stale,
            PendingFetch.@Nullable Waiter initiator) {
        this.policy = policy;
        this.loop = loop;
        this.fetch = fetch;
        this.request = request;
        this.stale = stale;
        this.initiator = initiator;
    }

    @Override
    public void head(ResponseScanner head, ByteBuf bytes, BodyFraming framing) {
        status = head.status();
        delimitedByClose = framing == BodyFraming.UNTIL_CLOSE;
        lines = HeadText.read(head);
        body = policy.record(head.contentLength);
    }

    @Override
    public void body(ByteBuf data) {
        BodyRecording recording = body;
        if (recording != null && !recording.add(data.nioBuffer())) {
            body = null;
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
            policy.forget(request.key());
            forwardAll();
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
            forwardAll();
        }
    }

    private boolean allowsErrors() {
        StoredHead head = stale.response().head();
        return head.validity().allowsErrors(head.residentNanos(policy.now()));
    }

    private void useStale() {
        discardBody();
        policy.fetches().complete(fetch, waiter -> policy.shared(loop, waiter, stale, CacheOutcome.STALE));
    }

    private void forwardAll() {
        policy.fetches().complete(fetch, waiter -> policy.decideAgain());
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
        Intake.Received updated = policy.intake().update(stale.response().head(), lines, request);
        StoredResponse response = updated == null ? null : stale.response().with(policy.store(), updated.toHead());
        if (updated == null || response == null) {
            forwardAll();
            return;
        }
        complete(response, updated, updated.isStorable(), CacheOutcome.REVALIDATED);
    }

    /** Stores the new response. */
    private void replace() {
        BodyRecording recording = body;
        body = null;
        Intake.Received received = policy.intake().read(status, lines, request);
        StoredResponse response =
                recording == null ? null : policy.intake().response(received.toHead(), recording.finish());
        if (response == null) {
            loop.count(CacheOutcome.UNCACHEABLE);
            policy.forget(request.key()); // otherwise each request would repeat the revalidation
            forwardAll();
            return;
        }
        complete(response, received, received.isStorable() && !delimitedByClose, CacheOutcome.MISS);
    }

    /** A response that must not be stored is only for the request that has caused the revalidation. */
    private void complete(StoredResponse response, Intake.Received received, boolean isStorable, CacheOutcome outcome) {
        Variant stored = isStorable ? policy.intake().store(request, response) : null;
        loop.count(stored == null ? CacheOutcome.UNCACHEABLE : CacheOutcome.STORED);
        if (!isStorable && status < FIRST_SERVER_ERROR) {
            policy.forget(request.key());
        }
        policy.fetches()
                .complete(
                        fetch,
                        waiter -> waiter.equals(initiator)
                                ? forInitiator(waiter, response, received, outcome)
                                : policy.shared(
                                        loop,
                                        waiter,
                                        stored,
                                        outcome == CacheOutcome.MISS ? CacheOutcome.HIT : outcome));
        response.release();
    }

    /** Answers the request that has caused the revalidation; only its client gets the cookies of the response. */
    private Continuation forInitiator(
            PendingFetch.Waiter waiter, StoredResponse response, Intake.Received received, CacheOutcome outcome) {
        StoredResponse own = lines.has("set-cookie") ? response.with(policy.store(), received.toHead(lines)) : null;
        LocalResponse answer =
                policy.hits().answer(own == null ? response : own, ClientConditions.of(waiter.lines()), outcome);
        if (own != null) {
            own.release(); // the answer is a user of its own
        }
        if (answer == null) {
            return policy.decideAgain();
        }
        loop.count(outcome);
        return answer;
    }
}
