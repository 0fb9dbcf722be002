package io.ballast.policy.oidc.provider;

import io.ballast.core.ErrorText;
import io.ballast.core.control.Background;
import io.ballast.net.fetch.BoundedBody;
import io.ballast.net.fetch.CaFile;
import io.ballast.policy.oidc.provider.ProviderException.Kind;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Sends requests to an OpenID provider. Redirects are not followed, the certificate of an {@code https} server is
 * verified, an answer has at most {@value #MAX_BYTES} bytes and must be complete within the deadline.
 *
 * <p>Thread safety: may be called by any thread; does not block. Futures complete on a thread of this object, which ends
 * when it is idle.
 */
final class ProviderClient {

    static final int MAX_BYTES = 256 * 1024;
    static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int THREADS = 2;
    private static final int MIN_FAILURE = 500;

    private final Background threads = Background.of("oidc", THREADS);
    private final Duration deadline;
    private final HttpClient client;

    /** An answer with a status below 500. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ProviderAnswer(int status, byte[] body) {

        private static final int OK = 200;

        boolean isOk() {
            return status == OK;
        }
    }

    /**
     * @param ca the authorities that verify the provider; empty for those that the Java runtime trusts
     * @param deadline the maximum time of one request
     */
    ProviderClient(Optional<CaFile> ca, Duration deadline) {
        this.deadline = deadline;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(threads);
        ca.map(CaFile::sslContext).ifPresent(builder::sslContext);
        this.client = builder.build();
    }

    /** Starts a request for a JSON document; see {@link #send}. */
    CompletableFuture<ProviderAnswer> get(URI url) {
        return send(HttpRequest.newBuilder(url).setHeader("Accept", "application/json"));
    }

    /** Starts a request. A failure is a {@link ProviderException} of the kind {@code UNREACHABLE}. */
    CompletableFuture<ProviderAnswer> send(HttpRequest.Builder request) {
        BoundedBody body = new BoundedBody(MAX_BYTES);
        CompletableFuture<HttpResponse<byte[]>> response = client.sendAsync(request.build(), info -> body);
        return response.copy()
                .orTimeout(deadline.toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((received, failure) -> {
                    if (failure != null) {
                        response.cancel(/* mayInterruptIfRunning= */ true);
                        body.stop(failure); // Java 17 does not stop a body that has begun
                    }
                })
                .handleAsync(ProviderClient::answer, threads);
    }

    private static ProviderAnswer answer(HttpResponse<byte[]> response, Throwable failure) {
        if (failure != null) {
            throw new CompletionException(new ProviderException(Kind.UNREACHABLE, ErrorText.reason(failure)));
        }
        int status = response.statusCode();
        if (status >= MIN_FAILURE) {
            throw new CompletionException(
                    new ProviderException(Kind.UNREACHABLE, "the server answered with status " + status));
        }
        return new ProviderAnswer(status, response.body());
    }
}
