package io.ballast.policy.oidc.provider;

import io.ballast.core.ErrorText;
import io.ballast.net.fetch.FetchClient;
import io.ballast.policy.oidc.provider.ProviderException.Kind;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Sends requests to an OpenID provider. Redirects are not followed, the certificate of an {@code https} server is
 * verified, an answer has at most {@value #MAX_BYTES} bytes and must be complete within the deadline.
 *
 * <p>Thread safety: may be called by any thread; does not block. Futures complete on a thread of the {@link FetchClient}.
 */
final class ProviderClient {

    static final int MAX_BYTES = 256 * 1024;
    static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final int MIN_FAILURE = 500;

    private final Duration deadline;
    private final FetchClient client;

    /** An answer with a status below 500. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ProviderAnswer(int status, byte[] body) {

        private static final int OK = 200;

        boolean isOk() {
            return status == OK;
        }
    }

    /**
     * @param client verifies the certificate of the provider
     * @param deadline the maximum time of one request
     */
    ProviderClient(FetchClient client, Duration deadline) {
        this.client = client;
        this.deadline = deadline;
    }

    /** Starts a request for a JSON document; see {@link #send}. */
    CompletableFuture<ProviderAnswer> get(URI url) {
        return send(HttpRequest.newBuilder(url).setHeader("Accept", "application/json"));
    }

    /** Starts a request. A failure is a {@link ProviderException} of the kind {@code UNREACHABLE}. */
    CompletableFuture<ProviderAnswer> send(HttpRequest.Builder request) {
        return client.send(request.build(), MAX_BYTES, deadline).handle(ProviderClient::answer);
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
