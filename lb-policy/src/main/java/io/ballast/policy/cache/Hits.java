package io.ballast.policy.cache;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.LocalResponse;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Answers requests with stored responses. Thread safety: any thread. */
final class Hits {

    /** The header lines that an event loop composes for the current response. */
    private static final FastThreadLocal<ByteAppender> LINES = new FastThreadLocal<>() {
        @Override
        protected ByteAppender initialValue() {
            return new ByteAppender();
        }
    };

    private final boolean statusHeader;
    private final LongSupplier nanoTime;
    private final LongSupplier millis;

    /** @param statusHeader whether answers get a {@code Cache-Status} header (RFC 9211) */
    Hits(boolean statusHeader, LongSupplier nanoTime, LongSupplier millis) {
        this.statusHeader = statusHeader;
        this.nanoTime = nanoTime;
        this.millis = millis;
    }

    /**
     * Returns the answer to a client.
     *
     * @param outcome {@link CacheOutcome#HIT}, {@link CacheOutcome#STALE} or {@link CacheOutcome#REVALIDATED}
     * @return null if the response was removed from memory
     */
    @Nullable LocalResponse answer(StoredResponse response, ClientConditions client, CacheOutcome outcome) {
        if (!response.retain()) {
            return null;
        }
        return new LocalResponse(
                new StoredResponseSource(response, stored -> head(stored, client, outcome)), reason(outcome));
    }

    private static String reason(CacheOutcome outcome) {
        return switch (outcome) {
            case STALE -> "cache_stale";
            case REVALIDATED -> "cache_revalidated";
            case MISS -> "cache_miss";
            default -> "cache_hit";
        };
    }

    private HitHead head(StoredResponse response, ClientConditions client, CacheOutcome outcome) {
        long now = nanoTime.getAsLong();
        String status = statusHeader ? statusLine(response.head(), now, outcome) : "";
        return HitHead.of(response, client, now, millis.getAsLong(), status, LINES.get());
    }

    private static String statusLine(StoredHead head, long now, CacheOutcome outcome) {
        long ttl = head.validity().lifetimeSeconds() - head.validity().age(head.residentNanos(now));
        String parameters =
                switch (outcome) {
                    case HIT, STALE -> "hit; ttl=" + ttl;
                    case REVALIDATED -> "hit; fwd=stale; fwd-status=304; ttl=" + ttl;
                    default -> "fwd=stale";
                };
        return "Cache-Status: Ballast; " + parameters + "; detail="
                + outcome.name().toLowerCase(Locale.ROOT) + "\r\n";
    }
}
