package io.ballast.http.relay;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.RetryOn;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What was tried for one exchange, and whether its pool allows another try. One object serves all exchanges of a client
 * connection, one after the other. Event-loop confined.
 */
public final class Attempts {

    /** The window of a stream that HTTP/2 begins with (RFC 9113 section 6.9.2). */
    private static final int FIRST_WINDOW_BYTES = 65_535;

    /** How often a backend may leave its connection before it begins with a stream, and get the request once more. */
    private static final int MOST_LEFT_BEHIND = 3;

    private final int loop;
    private final @Nullable Backend[] failed = new @Nullable Backend[2 * BackendConnections.MAX_ATTEMPTS];
    private int failedCount;

    private @Nullable Pool pool;
    private RetryConfig config = RetryConfig.DEFAULT;
    private boolean idempotent;
    private boolean repeatable;
    /** How many backends could not be connected to. */
    private int connectFailures;
    /** How many backends got the request. */
    private int sent;
    /** How often a fresh connection took the place of a reused one that broke, or that the backend left. */
    private int replacedStale;

    /** @param loop index of the event loop */
    public Attempts(int loop) {
        this.loop = loop;
    }

    /**
     * An exchange begins.
     *
     * @param isIdempotent whether serving it twice means no more than serving it once
     * @param isRepeatable whether the pool's settings let another backend have it after one got it
     */
    public void begin(Pool target, boolean isIdempotent, boolean isRepeatable, long nowNanos) {
        pool = target;
        config = target.config().retry();
        idempotent = isIdempotent;
        repeatable = isRepeatable;
        failedCount = 0;
        connectFailures = 0;
        sent = 0;
        replacedStale = 0;
        target.retryBudget(loop).request(nowNanos);
    }

    /** A backend is about to get the request. */
    public void sending() {
        sent++;
    }

    boolean isExcluded(Backend candidate) {
        for (int i = 0; i < failedCount; i++) {
            if (failed[i] == candidate) {
                return true;
            }
        }
        return false;
    }

    void exclude(Backend backend) {
        failed[failedCount++] = backend;
    }

    /** Forgets which backends have failed, if all of them had the request and the pool's settings let them have it again. */
    boolean mayStartOver() {
        if (!config.sameBackend() || connectFailures > 0) {
            return false;
        }
        failedCount = 0;
        return true;
    }

    /** On what conditions the pool lets another backend be tried. */
    public RetryOn conditions() {
        return config.on();
    }

    /** How long a backend may take to begin its response. */
    public Duration responseTimeout() {
        return config.responseTimeout(
                requireNonNull(pool).config().connections().responseTimeout());
    }

    /**
     * How much of the request's body is worth keeping. For a backend of HTTP/2 that is the window that a stream begins with:
     * a backend that leaves without having begun with a stream has opened no larger one.
     */
    public int bodyBufferBytes() {
        int most = config.bodyBufferBytes();
        if (mayBeRefused() && most > 0) {
            return Math.max(most, FIRST_WINDOW_BYTES);
        }
        return idempotent || repeatable ? most : 0;
    }

    /**
     * Whether the request may be sent again if a kept connection breaks before the response, and all of it will be there then.
     *
     * @param bodyBytes how long its body will be; negative if that is not known
     */
    public boolean keepsWhole(long bodyBytes) {
        return (idempotent || repeatable) && bodyBytes >= 0 && bodyBytes <= config.bodyBufferBytes();
    }

    /** Whether a backend may say of a request which it got that it has not begun with it (RFC 9113 section 8.7). */
    private boolean mayBeRefused() {
        return requireNonNull(pool).config().connections().protocol() != BackendProtocol.HTTP1;
    }

    /**
     * Whether the connection was most likely closed by the backend for having been idle, just as we took it. Nothing is
     * wrong with the backend then, so it gets the request once more, on a fresh connection, and this does not count.
     */
    public boolean mayReplaceStale(Failure failure, boolean reused) {
        boolean harmless = failure == Failure.STREAM_REFUSED
                || (failure == Failure.RESET_BEFORE_RESPONSE && (idempotent || repeatable));
        int most = failure == Failure.STREAM_REFUSED ? MOST_LEFT_BEHIND : 1;
        if (!harmless || !reused || replacedStale >= most) {
            return false;
        }
        replacedStale++;
        sent--;
        return true;
    }

    /** Whether another backend may be tried after this failure. */
    public boolean mayTryAnother(Failure failure, long nowNanos) {
        return switch (failure.retry()) {
            case NEVER -> false;
            case CONNECT_FAILURE -> {
                int most = requireNonNull(pool).config().connections().attempts();
                yield config.on().connectFailure() && ++connectFailures < most;
            }
            case RESET -> config.on().reset() && maySendAgain(nowNanos);
            case RESPONSE_TIMEOUT -> config.on().responseTimeout() && maySendAgain(nowNanos);
        };
    }

    /** Whether another backend may get what one has got already, if the reason is a good one. */
    public boolean maySendAgain(long nowNanos) {
        if (!repeatable || sent >= config.attempts()) {
            return false;
        }
        Pool target = requireNonNull(pool);
        boolean affordable = target.retryBudget(loop).hasRetry(nowNanos);
        if (!affordable) {
            target.counters().shard(loop).increment(PoolCounter.RETRIES_REFUSED);
        }
        return affordable;
    }

    /** Another backend gets a request that one has got already. */
    public void sendingAgain(long nowNanos) {
        requireNonNull(pool).retryBudget(loop).retry(nowNanos);
    }
}
