package io.ballast.policy.cache;

import io.ballast.http.background.BackgroundRequest;
import io.ballast.http.policy.BackendRequest;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.Variant;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Revalidates stale responses with requests of the process itself. Thread safety: any thread. */
final class Revalidations {

    /** The time until the backend's response must be complete. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** How long the request that causes a revalidation waits for it: until its end. */
    static final long MAX_WAIT_NANOS = TIMEOUT.plusSeconds(1).toNanos();

    private final CachePolicy policy;

    Revalidations(CachePolicy policy) {
        this.policy = policy;
    }

    /** Whether a revalidation of a response can have a result. */
    static boolean isUseful(Variant stale, long now) {
        StoredHead head = stale.response().head();
        return head.metadata().hasValidator() || head.validity().allowsErrors(head.residentNanos(now));
    }

    /**
     * Sends a request.
     *
     * @param composed the request as a backend would get it
     * @param fetch ends with the response
     * @param initiator the request that causes the revalidation and waits for it; null if none waits
     */
    void start(
            PolicyExchange exchange,
            BackendRequest composed,
            PendingFetch fetch,
            FetchedRequest request,
            Variant stale,
            PendingFetch.@Nullable Waiter initiator) {
        byte[] head = RevalidationHead.compose(
                composed.head(), stale.response().head().metadata());
        BackgroundRequest sent = new BackgroundRequest(
                composed.pool(),
                composed.generation(),
                head,
                Unpooled.EMPTY_BUFFER,
                /* hashKey= */ 0,
                TIMEOUT,
                policy.maxObjectBytes());
        exchange.background()
                .send(sent, new Revalidation(policy, policy.loop(exchange), fetch, request, stale, initiator));
    }
}
