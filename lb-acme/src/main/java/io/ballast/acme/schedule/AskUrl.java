package io.ballast.acme.schedule;

import io.ballast.net.fetch.BoundedBody;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Asks an HTTP server: {@code GET URL?domain=NAME}. The status 200 permits a name, every other status refuses it.
 * Redirects are not followed. Thread safety: any thread.
 */
public final class AskUrl implements NamePermission {

    private static final int OK = 200;
    private static final int MAX_BODY = 64 * 1024;

    private final HttpClient client;
    private final URI url;
    private final Duration timeout;

    /** @param timeout the maximum time for an answer */
    public AskUrl(URI url, Duration timeout) {
        this.url = url;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .build();
    }

    @Override
    public CompletableFuture<Boolean> isPermitted(String name) {
        String separator = url.getRawQuery() == null ? "?" : "&";
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + separator + "domain=" + name))
                .timeout(timeout)
                .build();
        BoundedBody body = new BoundedBody(MAX_BODY);
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, info -> body);
        return sent.copy()
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((response, failure) -> {
                    sent.cancel(/* mayInterruptIfRunning= */ true);
                    if (failure != null) {
                        body.stop(failure); // Java 17 does not stop reading a body that has begun
                    }
                })
                .thenApply(response -> response.statusCode() == OK);
    }
}
