package io.ballast.acme.order;

import io.ballast.core.ErrorText;
import io.ballast.net.fetch.BoundedBody;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Reads the whole body of each response, at most {@value #MAX_BYTES} bytes, within a deadline. Without this class,
 * acme4j would wait forever if a CA begins a response and then stops, or read a body without end. Responses with a
 * content coding fail, because a small body could become a huge one. Thread-safe; blocks as {@link HttpClient} does.
 */
final class BoundedHttpClient extends HttpClient {

    static final int MAX_BYTES = 1 << 20;

    private final HttpClient client;
    private final Duration deadline;

    /** @param deadline the maximum time until a response is complete */
    BoundedHttpClient(HttpClient client, Duration deadline) {
        this.client = client;
        this.deadline = deadline;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> response = sendAsync(request, handler);
        try {
            return response.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof TimeoutException) {
                throw new HttpTimeoutException("no complete response after " + deadline.toSeconds() + " s");
            }
            if (cause instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(ErrorText.reason(cause), cause);
        } finally {
            response.cancel(/* mayInterruptIfRunning= */ true); // needed if the thread was interrupted
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        BoundedBody body = new BoundedBody(MAX_BYTES);
        CompletableFuture<HttpResponse<T>> exchange = client.sendAsync(request, head -> {
            if (head.headers().firstValue("Content-Encoding").isPresent()) {
                body.stop(new IOException("the response has a content coding, which was not requested"));
            }
            return BodySubscribers.mapping(body, bytes -> read(handler.apply(head), bytes));
        });
        CompletableFuture<HttpResponse<T>> response = exchange.copy();
        response.orTimeout(deadline.toNanos(), TimeUnit.NANOSECONDS).whenComplete((received, failure) -> {
            exchange.cancel(/* mayInterruptIfRunning= */ true);
            if (failure != null) {
                body.stop(failure); // Java 17 does not stop reading a body that has begun
            }
        });
        return response;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushed) {
        return sendAsync(request, handler); // acme4j uses no pushed responses
    }

    /** Passes a body that has arrived to the subscriber that reads it. */
    private static <T> T read(BodySubscriber<T> reader, byte[] bytes) {
        reader.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {}
        });
        reader.onNext(List.of(ByteBuffer.wrap(bytes)));
        reader.onComplete();
        return reader.getBody().toCompletableFuture().join();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
