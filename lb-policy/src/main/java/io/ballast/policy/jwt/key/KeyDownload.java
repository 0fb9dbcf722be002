package io.ballast.policy.jwt.key;

import io.ballast.net.fetch.FetchClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Downloads a JWK set of at most 1 MiB. Redirects are not followed, and the certificate of an {@code https} server is
 * verified. A download fails after {@value #DEADLINE_SECONDS} s. Thread safety: may be called from any thread.
 */
public final class KeyDownload implements Supplier<CompletableFuture<String>> {

    static final int MAX_BYTES = 1 << 20;
    static final int DEADLINE_SECONDS = 10;

    private static final Duration DEADLINE = Duration.ofSeconds(DEADLINE_SECONDS);
    private static final int OK = 200;

    private final FetchClient client;
    private final HttpRequest request;

    /** @param client verifies the certificate of the server */
    public KeyDownload(URI url, FetchClient client) {
        this.client = client;
        this.request = HttpRequest.newBuilder(url)
                .setHeader("Accept", "application/jwk-set+json, application/json")
                .build();
    }

    /** Starts a download. Never throws: if the download cannot start, the returned future fails. */
    @Override
    public CompletableFuture<String> get() {
        return client.send(request, MAX_BYTES, DEADLINE).thenApply(KeyDownload::text);
    }

    private static String text(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status != OK) {
            String hint = status / 100 == 3 ? ", a redirect, which is not followed" : "";
            throw new CompletionException(new IOException("the server answered with status " + status + hint));
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(response.body()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CompletionException(new IOException("the response is not UTF-8", e));
        }
    }
}
