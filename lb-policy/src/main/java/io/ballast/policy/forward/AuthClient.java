package io.ballast.policy.forward;

import io.ballast.core.control.Background;
import io.ballast.http.policy.DirectResponse;
import io.ballast.net.fetch.BoundedBody;
import io.ballast.policy.config.ForwardAuthConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to the authentication server over HTTP/1.1 with connections that are kept open. Follows no redirects,
 * stores no cookies and uses no proxy.
 *
 * <p>Thread safety: all methods may be called concurrently and do not block. The first request starts the client and
 * its threads: one for the sockets, and at most {@value #THREADS} more. They end after {@link #close}, once the last
 * request has ended; a later request starts them again.
 */
final class AuthClient {

    private static final Logger LOG = LoggerFactory.getLogger(AuthClient.class);
    private static final int THREADS = 2;

    private final ForwardAuthConfig config;
    private final Background threads = Background.of("forward-auth", THREADS);
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AuthFailureLog failures;

    private volatile boolean closed;
    /**
     * The HTTP client; null while there are no requests. It is created outside the event loops, because loading
     * certificates takes time.
     */
    private @Nullable HttpClient client;

    AuthClient(ForwardAuthConfig config, LongSupplier nanoTime) {
        this.config = config;
        this.failures = new AuthFailureLog(config.address(), nanoTime);
    }

    /**
     * Sends a request.
     *
     * @param request composes the request before this method returns
     * @return the answer; null if too many requests are in flight. The future fails if the server does not send a valid
     *     answer in time. Its cancellation closes the connection
     */
    @Nullable CompletableFuture<AuthAnswer> send(Supplier<HttpRequest> request) {
        if (inFlight.incrementAndGet() > config.maxInFlight()) {
            inFlight.decrementAndGet();
            return null;
        }
        Permit permit = new Permit();
        CompletableFuture<AuthAnswer> answer = new CompletableFuture<>();
        answer.whenComplete((received, failure) -> ended(permit, failure));
        try {
            HttpRequest composed = request.get();
            answer.orTimeout(config.timeout().toNanos(), TimeUnit.NANOSECONDS);
            threads.execute(() -> start(composed, permit, answer));
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private void start(HttpRequest request, Permit permit, CompletableFuture<AuthAnswer> answer) {
        if (answer.isDone()) {
            return; // the client has disconnected
        }
        try {
            BoundedBody body = new BoundedBody(DirectResponse.MAX_BODY_BYTES);
            CompletableFuture<HttpResponse<byte[]>> exchange = client().sendAsync(request, head -> body);
            exchange.whenComplete((response, failure) -> complete(permit, answer, response, failure));
            answer.whenComplete((received, failure) -> {
                if (failure != null) {
                    permit.release();
                    exchange.cancel(/* mayInterruptIfRunning= */ true);
                    body.stop(failure); // Java 17 does not stop a body that has begun
                }
            });
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    private void complete(
            Permit permit,
            CompletableFuture<AuthAnswer> answer,
            @Nullable HttpResponse<byte[]> response,
            @Nullable Throwable failure) {
        permit.release(); // released before the client can send another request
        if (response == null) {
            answer.completeExceptionally(failure == null ? new IOException("no response") : failure);
            return;
        }
        try {
            answer.complete(AuthAnswer.of(response, config));
        } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    private synchronized HttpClient client() {
        HttpClient open = client;
        if (open == null) {
            open = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .proxy(HttpClient.Builder.NO_PROXY)
                    .connectTimeout(config.timeout())
                    .executor(threads)
                    .build();
            client = open;
        }
        return open;
    }

    private void ended(Permit permit, @Nullable Throwable failure) {
        permit.release();
        boolean isLast = closed && inFlight.get() == 0;
        boolean isLogged = failure != null && !(failure instanceof CancellationException);
        if (isLast || isLogged) {
            threads.execute(() -> {
                if (failure != null && isLogged) {
                    failures.log(cause(failure));
                }
                releaseIfUnused();
            });
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause == null ? failure : cause;
    }

    /** Closes the connections and ends the threads when the last request has ended. */
    void close() {
        closed = true;
        threads.execute(this::releaseIfUnused);
    }

    private void releaseIfUnused() {
        HttpClient unused;
        synchronized (this) {
            if (!closed || inFlight.get() > 0) {
                return;
            }
            unused = client;
            client = null;
        }
        if (unused instanceof AutoCloseable closeable) { // from Java 21; older versions rely on garbage collection
            try {
                closeable.close();
            } catch (Exception e) {
                LOG.warn("msg=\"cannot close the client of the authentication server\"", e);
            }
        }
    }

    /** Permission for one request in flight. */
    private final class Permit {

        private final AtomicBoolean isHeld = new AtomicBoolean(true);

        /** Returns the permit; does nothing if it was returned before. */
        void release() {
            if (isHeld.compareAndSet(true, false)) {
                inFlight.decrementAndGet();
            }
        }
    }
}
