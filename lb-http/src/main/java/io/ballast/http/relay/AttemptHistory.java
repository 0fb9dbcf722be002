package io.ballast.http.relay;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.ConnectionReuse;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.RetryOn;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one exchange, and whether its pool allows another one. One object serves all exchanges of a client
 * connection, in sequence. Event-loop confined.
 */
public final class AttemptHistory {

    /** The initial stream window of HTTP/2 (RFC 9113 section 6.9.2). */
    private static final int FIRST_WINDOW_BYTES = 65_535;

    /**
     * The maximum number of times that a request is repeated because a backend closed the connection without
     * processing the stream.
     */
    private static final int MAX_REFUSED_STREAMS = 3;

    private final int loop;
    private final @Nullable Backend[] excludedBackends = new @Nullable Backend[2 * BackendConnections.MAX_ATTEMPTS];
    private int excludedCount;

    private @Nullable Pool pool;
    private RetryConfig config = RetryConfig.DEFAULT;
    private boolean idempotent;
    private boolean repeatable;
    /** The number of failed connects. */
    private int connectFailures;
    /** The number of backends that received the request. */
    private int sendCount;
    /**
     * The number of new connections that replaced a stale reused connection, or a connection whose backend
     * refused the stream.
     */
    private int staleReplacements;

    /** @param loop the index of the event loop */
    public AttemptHistory(int loop) {
        this.loop = loop;
    }

    /**
     * Starts an exchange.
     *
     * @param isIdempotent whether the request is idempotent (RFC 9110 section 9.2.2)
     * @param isRepeatable whether the pool's settings allow a retry after a backend got the request
     */
    public void begin(Pool target, boolean isIdempotent, boolean isRepeatable, long nowNanos) {
        pool = target;
        config = target.config().retry();
        idempotent = isIdempotent;
        repeatable = isRepeatable;
        excludedCount = 0;
        connectFailures = 0;
        sendCount = 0;
        staleReplacements = 0;
        target.retryBudget(loop).recordRequest(nowNanos);
    }

    /** Counts a request that is about to be sent to a backend. */
    public void countSend() {
        sendCount++;
    }

    boolean isExcluded(Backend candidate) {
        for (int i = 0; i < excludedCount; i++) {
            if (excludedBackends[i] == candidate) {
                return true;
            }
        }
        return false;
    }

    void exclude(Backend backend) {
        excludedBackends[excludedCount++] = backend;
    }

    /** Clears the excluded backends, if no connect failed and the pool allows a retry on the same backend. */
    boolean clearExcludedIfAllowed() {
        if (!config.sameBackend() || connectFailures > 0) {
            return false;
        }
        excludedCount = 0;
        return true;
    }

    /** The pool's conditions for a retry on another backend. */
    public RetryOn conditions() {
        return config.on();
    }

    /** The time limit for a backend to begin its response. */
    public Duration responseTimeout() {
        return config.responseTimeout(
                requireNonNull(pool).config().connections().responseTimeout());
    }

    /**
     * Returns how many bytes of the request's body to buffer. For HTTP/2 backends, this is at least the initial
     * stream window: a backend can refuse a stream after it has received at most this many bytes of the body.
     */
    public int bodyBufferBytes() {
        int max = config.bodyBufferBytes();
        if (mayBeRefused() && max > 0) {
            return Math.max(max, FIRST_WINDOW_BYTES);
        }
        return idempotent || repeatable ? max : 0;
    }

    /**
     * Whether the request needs a new connection: it would be lost if a reused connection broke before the response,
     * because neither Ballast nor the client could repeat it.
     *
     * @param isFirst whether it is the first request of the client's connection, which clients do not repeat
     * @param bodyBytes the length of the body; negative if unknown
     */
    public boolean needsFresh(boolean isFirst, long bodyBytes) {
        return isFirst
                && requireNonNull(pool).config().connections().reuse() == ConnectionReuse.SAFE
                && !canBufferBody(bodyBytes);
    }

    /** Whether the request can be repeated in full if a reused connection breaks before the response. */
    private boolean canBufferBody(long bodyBytes) {
        return (idempotent || repeatable) && bodyBytes >= 0 && bodyBytes <= config.bodyBufferBytes();
    }

    /** Whether a backend may refuse a received request without processing it (RFC 9113 section 8.7). */
    private boolean mayBeRefused() {
        return requireNonNull(pool).config().connections().protocol() != BackendProtocol.HTTP1;
    }

    /**
     * Whether to repeat the request to the same backend on a new connection. This applies to a reused connection if the
     * backend has refused the stream, or has probably closed the idle connection at the same time. The backend is
     * healthy, so the failed attempt is not counted.
     */
    public boolean tryReplaceStale(Failure failure, boolean reused) {
        boolean harmless = failure == Failure.STREAM_REFUSED
                || (failure == Failure.RESET_BEFORE_RESPONSE && (idempotent || repeatable));
        int max = failure == Failure.STREAM_REFUSED ? MAX_REFUSED_STREAMS : 1;
        if (!harmless || !reused || staleReplacements >= max) {
            return false;
        }
        staleReplacements++;
        sendCount--;
        return true;
    }

    /** Whether another backend may be tried after this failure. */
    public boolean mayTryAnother(Failure failure, long nowNanos) {
        return switch (failure.retry()) {
            case NEVER -> false;
            case CONNECT_FAILURE -> {
                int max = requireNonNull(pool).config().connections().attempts();
                yield config.on().connectFailure() && ++connectFailures < max;
            }
            case RESET -> config.on().reset() && maySendAgain(nowNanos);
            case RESPONSE_TIMEOUT -> config.on().responseTimeout() && maySendAgain(nowNanos);
        };
    }

    /** Whether another backend may get a request that was sent before; checks the pool's limit and retry budget. */
    public boolean maySendAgain(long nowNanos) {
        if (!repeatable || sendCount >= config.attempts()) {
            return false;
        }
        Pool target = requireNonNull(pool);
        boolean affordable = target.retryBudget(loop).hasRetry(nowNanos);
        if (!affordable) {
            target.counters().shard(loop).increment(PoolCounter.RETRIES_REFUSED);
        }
        return affordable;
    }

    /** Charges the retry budget for a request that is sent again. */
    public void chargeRetryBudget(long nowNanos) {
        requireNonNull(pool).retryBudget(loop).recordRetry(nowNanos);
    }
}
