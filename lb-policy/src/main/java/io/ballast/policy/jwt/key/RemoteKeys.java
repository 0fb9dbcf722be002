package io.ballast.policy.jwt.key;

import io.ballast.core.ErrorText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Downloads keys at the start, every 10 min, and when a token needs an unknown key. Unknown keys cause at most one
 * download every 30 s. After a failed download, the next one follows after 5 s, then after twice the time, up to 5 min.
 * While downloads fail, the last keys stay in use for 24 h.
 *
 * <p>Thread safety: all methods may be called concurrently. At most one download is in progress.
 */
public final class RemoteKeys implements KeySource {

    static final Duration REFRESH = Duration.ofMinutes(10);
    static final Duration UNKNOWN_KEY_INTERVAL = Duration.ofSeconds(30);
    static final Duration FIRST_RETRY = Duration.ofSeconds(5);
    static final Duration MAX_RETRY = Duration.ofMinutes(5);
    static final Duration MAX_AGE = Duration.ofHours(24);

    private static final Logger LOG = LoggerFactory.getLogger(RemoteKeys.class);

    private final String url;
    private final Supplier<CompletableFuture<String>> download;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanoTime;
    private final AtomicReference<@Nullable CompletableFuture<Void>> inProgress = new AtomicReference<>();
    private volatile @Nullable Received received;
    private volatile long startedNanos;
    private volatile Duration nextRetry = FIRST_RETRY;
    private volatile @Nullable ScheduledFuture<?> next;
    private volatile boolean closed;

    private record Received(KeySet keys, long nanos) {}

    /**
     * Starts the first download.
     *
     * @param url the address of the set, for logs
     * @param download starts a download of the JWK set
     * @param timer starts further downloads; may be shared
     */
    public RemoteKeys(
            String url,
            Supplier<CompletableFuture<String>> download,
            ScheduledExecutorService timer,
            LongSupplier nanoTime) {
        this.url = url;
        this.download = download;
        this.timer = timer;
        this.nanoTime = nanoTime;
        CompletableFuture<Void> unused = start();
    }

    @Override
    public @Nullable KeySet current() {
        Received last = received;
        return last == null || nanoTime.getAsLong() - last.nanos() >= MAX_AGE.toNanos() ? null : last.keys();
    }

    @Override
    public Optional<CompletableFuture<Void>> refresh() {
        CompletableFuture<Void> current = inProgress.get();
        if (current != null) {
            return Optional.of(current);
        }
        boolean isEarly = nanoTime.getAsLong() - startedNanos < UNKNOWN_KEY_INTERVAL.toNanos();
        return isEarly || closed ? Optional.empty() : Optional.of(start());
    }

    /** Starts a download unless one is in progress; returns the download in progress. */
    private CompletableFuture<Void> start() {
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<Void> current = inProgress.compareAndExchange(null, started);
        if (current != null) {
            return current;
        }
        if (closed) {
            inProgress.set(null);
            return CompletableFuture.completedFuture(null);
        }
        startedNanos = nanoTime.getAsLong();
        cancelNext();
        download.get().whenComplete((text, failure) -> finish(started, text, failure));
        return started;
    }

    private void finish(CompletableFuture<Void> started, @Nullable String text, @Nullable Throwable failure) {
        try {
            if (!closed) {
                schedule(text == null ? failed(failure) : receive(text));
            }
        } finally {
            inProgress.set(null);
            started.complete(null);
        }
    }

    /** Replaces the keys; returns the time until the next download. */
    private Duration receive(String text) {
        KeySet newer;
        try {
            newer = KeySet.parse(text);
        } catch (RuntimeException invalid) {
            return failed(invalid);
        }
        Received last = received;
        received = new Received(last == null ? newer : last.keys().replacedBy(newer), nanoTime.getAsLong());
        if (last == null || !nextRetry.equals(FIRST_RETRY)) {
            LOG.info("jwks={} msg=\"received the keys that verify tokens\"", url);
        }
        nextRetry = FIRST_RETRY;
        return REFRESH;
    }

    private Duration failed(@Nullable Throwable failure) {
        Duration retry = nextRetry;
        if (retry.equals(FIRST_RETRY)) {
            LOG.warn(
                    "jwks={} reason=\"{}\" msg=\"cannot download the keys that verify tokens; {}\"",
                    url,
                    failure == null ? "no response" : ErrorText.reason(failure),
                    received == null ? "requests get 503 until they arrive" : "the last keys stay in use for 24 h");
        }
        Duration doubled = retry.multipliedBy(2);
        nextRetry = doubled.compareTo(MAX_RETRY) < 0 ? doubled : MAX_RETRY;
        return retry;
    }

    private void schedule(Duration delay) {
        try {
            next = timer.schedule((Runnable) this::start, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            LOG.debug("jwks={} msg=\"no further download, because the process stops\"", url);
        }
        if (closed) {
            cancelNext(); // closed while the next download was scheduled
        }
    }

    private void cancelNext() {
        ScheduledFuture<?> scheduled = next;
        if (scheduled != null) {
            scheduled.cancel(/* mayInterruptIfRunning= */ false);
        }
    }

    @Override
    public void close() {
        closed = true;
        cancelNext();
    }
}
