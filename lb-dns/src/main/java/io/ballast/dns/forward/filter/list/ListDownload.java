package io.ballast.dns.forward.filter.list;

import io.ballast.core.DurationText;
import io.ballast.core.control.Background;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Fetches lists over HTTP. Redirects are followed, but not from HTTPS to HTTP.
 *
 * <p>Thread safety: any thread may call it; an interrupt ends the call. Cost: none before the first call. The
 * first call allocates a thread and some file descriptors, which stay open while this object is in use.
 */
public final class ListDownload {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int THREADS = 2;
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    private @Nullable HttpClient client;

    private synchronized HttpClient client() {
        HttpClient existing = client;
        if (existing == null) {
            existing = HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .executor(Background.of("filter-http", THREADS))
                    .build();
            client = existing;
        }
        return existing;
    }

    /** Returns whether anything has been fetched yet. */
    synchronized boolean isStarted() {
        return client != null;
    }

    /**
     * Fetches a list into a file. The file is compressed if the server sends the list compressed.
     *
     * @param validators the validators of the stored version
     * @param max the maximum length in bytes
     * @param deadline the time limit of the download
     * @return the validators of the new version; empty if the list has not changed
     */
    Optional<CacheValidators> fetch(URI url, CacheValidators validators, Path file, long max, Duration deadline)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url).setHeader("Accept-Encoding", "gzip").setHeader("User-Agent", "Ballast");
        if (!validators.etag().isEmpty()) {
            request.setHeader("If-None-Match", validators.etag());
        }
        if (!validators.lastModified().isEmpty()) {
            request.setHeader("If-Modified-Since", validators.lastModified());
        }
        HttpResponse<?> answer = send(request.build(), file, max, deadline);
        if (answer.statusCode() == NOT_MODIFIED && !validators.equals(CacheValidators.NONE)) {
            return Optional.empty();
        }
        if (answer.statusCode() != OK) {
            throw new IOException("status " + answer.statusCode());
        }
        return Optional.of(new CacheValidators(
                answer.headers().firstValue("ETag").orElse(""),
                answer.headers().firstValue("Last-Modified").orElse("")));
    }

    private HttpResponse<?> send(HttpRequest request, Path file, long max, Duration deadline)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<Path>> answer = client().sendAsync(
                        request,
                        info -> info.statusCode() == OK ? new FileBody(file, max) : BodySubscribers.replacing(file));
        try {
            return answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no complete response after " + DurationText.of(deadline), e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(describe(cause), cause);
        } finally {
            answer.cancel(/* mayInterruptIfRunning= */ true); // cancel() has no effect on a complete response
        }
    }

    /** Describes a failure for logs. */
    private static String describe(Throwable cause) {
        String message = cause.getMessage();
        if (cause instanceof HttpConnectTimeoutException) {
            return "connection attempt timed out";
        }
        if (cause instanceof ConnectException) {
            return cause.getCause() instanceof UnresolvedAddressException
                    ? "host name cannot be resolved"
                    : "connection refused";
        }
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
