package io.ballast.net.fetch;

import io.ballast.core.control.Background;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests for small documents over HTTP/1.1. Redirects are not followed, and the certificate of an {@code https}
 * server is verified. Several owners share a client; see {@link FetchClients}.
 *
 * <p>Thread safety: all methods may be called concurrently and do not block. The first request starts Java's client,
 * which needs a thread and two file descriptors, and at most {@value #THREADS} other threads, which end when they are
 * idle. Futures complete on these threads. Garbage collection frees the client.
 */
public final class FetchClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int THREADS = 2;

    private final Optional<CaFile> ca;
    private final Background threads = Background.of("fetch", THREADS);
    private @Nullable HttpClient client; // guarded by this

    /** @param ca the authorities that verify servers; empty for the authorities that the Java runtime trusts */
    FetchClient(Optional<CaFile> ca) {
        this.ca = ca;
    }

    /**
     * Sends a request.
     *
     * @param maxBytes the maximum length of the body
     * @param deadline the maximum time until the response is complete
     * @return the response, regardless of its status. The future fails if no valid response is complete in time, or if
     *     the process has no file descriptor or no thread for the request. The connection of an incomplete response is
     *     closed
     */
    public CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request, int maxBytes, Duration deadline) {
        CompletableFuture<HttpResponse<byte[]>> response = new CompletableFuture<>();
        response.orTimeout(deadline.toNanos(), TimeUnit.NANOSECONDS);
        try {
            threads.execute(() -> start(request, new BoundedBody(maxBytes), response));
        } catch (RuntimeException | Error e) { // for example, no thread can be started
            response.completeExceptionally(e);
        }
        return response.whenCompleteAsync((received, failure) -> {}, threads); // keeps the JDK's timer thread free
    }

    private void start(HttpRequest request, BoundedBody body, CompletableFuture<HttpResponse<byte[]>> response) {
        if (response.isDone()) {
            return;
        }
        try {
            CompletableFuture<HttpResponse<byte[]>> exchange = client().sendAsync(request, head -> body);
            exchange.whenComplete((received, failure) -> {
                if (failure == null) {
                    response.complete(received);
                } else {
                    response.completeExceptionally(failure);
                }
            });
            response.whenComplete((received, failure) -> {
                exchange.cancel(/* mayInterruptIfRunning= */ true);
                if (failure != null) {
                    body.stop(failure); // Java 17 does not stop a body that has begun
                }
            });
        } catch (RuntimeException | Error e) {
            response.completeExceptionally(e);
        }
    }

    private synchronized HttpClient client() {
        HttpClient open = client;
        if (open == null) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .executor(threads);
            ca.map(CaFile::sslContext).ifPresent(builder::sslContext);
            open = builder.build();
            client = open;
        }
        return open;
    }
}
