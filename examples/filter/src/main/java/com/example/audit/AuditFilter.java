package com.example.audit;

import io.ballast.filter.Filter;
import io.ballast.filter.FilterAnswer;
import io.ballast.filter.FilterRequest;
import io.ballast.filter.FilterSettings;
import io.ballast.filter.HeaderEdits;
import io.ballast.filter.RequestResult;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Blocks paths, requires an API key for other paths, and gives each request an id that the backend and the client
 * receive. Immutable, so that all threads of the filter can use it.
 */
final class AuditFilter implements Filter {

    private static final String CONSUMER = "X-Consumer";

    private final String header;
    private final List<String> blocked;
    private final String keyHeader;
    private final List<String> keyPaths;
    private final Map<String, byte[]> keysByConsumer;

    private AuditFilter(
            String header,
            List<String> blocked,
            String keyHeader,
            List<String> keyPaths,
            Map<String, byte[]> keysByConsumer) {
        this.header = header;
        this.blocked = blocked;
        this.keyHeader = keyHeader;
        this.keyPaths = keyPaths;
        this.keysByConsumer = keysByConsumer;
    }

    /** Reads the settings; throws {@link IllegalArgumentException} if a setting is invalid. */
    static AuditFilter of(FilterSettings settings) {
        FilterSettings consumers = settings.section("consumers");
        Map<String, byte[]> keys = new LinkedHashMap<>();
        for (String name : consumers.names()) {
            keys.put(name, consumers.requireText(name).getBytes(StandardCharsets.UTF_8));
        }
        return new AuditFilter(
                settings.text("header").orElse("X-Audit-Id"),
                settings.texts("blocked"),
                settings.text("key_header").orElse("X-API-Key"),
                settings.texts("key_paths"),
                keys);
    }

    /** Ballast removes these headers from clients' requests, so that only this filter can send them to the backend. */
    @Override
    public List<String> requestHeaders() {
        return List.of(header, CONSUMER);
    }

    @Override
    public CompletionStage<RequestResult> onRequest(FilterRequest request) {
        return CompletableFuture.completedFuture(decide(request));
    }

    private RequestResult decide(FilterRequest request) {
        if (startsWithAny(request.normalPath(), blocked)) {
            return RequestResult.answer(FilterAnswer.text(403, "This path is blocked.\n"));
        }
        HeaderEdits edits = HeaderEdits.NONE;
        if (startsWithAny(request.normalPath(), keyPaths)) {
            Optional<String> consumer = consumer(request);
            if (consumer.isEmpty()) {
                return RequestResult.answer(FilterAnswer.text(401, "An API key is required.\n"));
            }
            edits = edits.set(CONSUMER, consumer.get());
        }
        String id = UUID.randomUUID().toString();
        return RequestResult.pass(edits.set(header, id), HeaderEdits.NONE.set(header, id));
    }

    private Optional<String> consumer(FilterRequest request) {
        byte[] given = request.headers().first(keyHeader).orElse("").getBytes(StandardCharsets.ISO_8859_1);
        return keysByConsumer.entrySet().stream()
                .filter(consumer -> MessageDigest.isEqual(consumer.getValue(), given)) // takes the same time for all keys
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static boolean startsWithAny(String path, List<String> starts) {
        return starts.stream().anyMatch(path::startsWith);
    }
}
