package io.ballast.policy.jwt.key;

import io.ballast.core.control.Background;
import io.ballast.net.fetch.BoundedBody;
import io.ballast.net.fetch.CaFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Downloads a JWK set of at most 1 MiB. Redirects are not followed, and the certificate of an {@code https} server is
 * verified. A download fails after {@value #DEADLINE_SECONDS} s. Thread safety: may be called from any thread.
 */
public final class KeyDownload implements Supplier<CompletableFuture<String>> {

    static final int MAX_BYTES = 1 << 20;
    static final int DEADLINE_SECONDS = 10;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int OK = 200;

    private final HttpClient client;
    private final HttpRequest request;

    /** @param ca the authorities that verify the server; empty for those that the Java runtime trusts */
    public KeyDownload(URI url, Optional<CaFile> ca) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(Background.of("jwt-keys", 1));
        ca.map(CaFile::sslContext).ifPresent(builder::sslContext);
        this.client = builder.build();
        this.request = HttpRequest.newBuilder(url)
                .setHeader("Accept", "application/jwk-set+json, application/json")
                .build();
    }

    /** Starts a download. */
    @Override
    public CompletableFuture<String> get() {
        BoundedBody body = new BoundedBody(MAX_BYTES);
        CompletableFuture<HttpResponse<byte[]>> response = client.sendAsync(request, info -> body);
        return response.copy()
                .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .whenComplete((received, failure) -> {
                    response.cancel(/* mayInterruptIfRunning= */ true);
                    if (failure != null) {
                        body.stop(failure); // Java 17 does not stop a body that has begun
                    }
                })
                .thenApply(KeyDownload::text);
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
