package io.ballast.policy.cache;

import io.ballast.policy.cache.store.GrowingBody;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;
import org.jspecify.annotations.Nullable;

/**
 * A fetch whose response is long and has a known length. Other clients get the response while it is still being
 * received. Event-loop confined.
 */
final class SharedExchange implements ResponseRecorder.Listener {

    private final CollapsedForwarding forwarding;
    private final CacheLoop loop;
    private final FetchedRequest request;
    /** The fetch that the request leads; null if no other request waits for it. */
    private final @Nullable PendingFetch fetch;

    private final GrowingBody body;
    private final StoredResponse response;

    private SharedExchange(
            CollapsedForwarding forwarding,
            CacheLoop loop,
            FetchedRequest request,
            @Nullable PendingFetch fetch,
            GrowingBody body,
            StoredResponse response) {
        this.forwarding = forwarding;
        this.loop = loop;
        this.request = request;
        this.fetch = fetch;
        this.body = body;
        this.response = response;
    }

    /**
     * Starts to receive a response, and answers the waiting requests with it.
     *
     * @param bytes the length of the body, at least 1
     * @return null if there is no memory
     */
    static @Nullable ResponseRecorder start(
            CollapsedForwarding forwarding, CacheLoop loop, CacheExchange forwarded, StoredHead head, long bytes) {
        GrowingBody body = forwarding.intake().receive(bytes);
        StoredResponse response = body == null ? null : forwarding.intake().response(head, body.body());
        if (body == null || response == null) {
            return null;
        }
        FetchedRequest request = forwarded.request();
        PendingFetch fetch = forwarded.takeFetch();
        forwarding.share(loop, request, fetch, response);
        return new ResponseRecorder(body, new SharedExchange(forwarding, loop, request, fetch, body, response));
    }

    @Override
    public void recorded() {
        if (body.isComplete()) {
            forwarding.finish(loop, request, fetch, response);
        } else {
            interrupted();
        }
    }

    /** Called if the body is longer than announced. */
    @Override
    public void overflowed() {
        body.fail();
        forwarding.discard(loop, request, fetch, response.head().metadata().status());
    }

    @Override
    public void interrupted() {
        body.fail();
        if (fetch != null) {
            forwarding.forwardWaiting(fetch);
        }
    }

    @Override
    public void released() {
        response.release();
    }

    @Override
    public boolean isAwaited() {
        return response.isShared();
    }
}
