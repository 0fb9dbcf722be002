package io.ballast.http.h3.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.TestTimeout;
import io.netty.handler.codec.http3.Http3Headers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The response that a stream of {@link Http3Client} receives. Thread-safe. */
public final class Http3Answer {

    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Map<String, String>> heads = new ArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable Throwable failure;

    synchronized void head(Http3Headers fields) {
        Map<String, String> head = new LinkedHashMap<>();
        fields.forEach(
                field -> head.merge(field.getKey().toString(), field.getValue().toString(), (a, b) -> a + ", " + b));
        heads.add(head);
    }

    synchronized void data(byte[] bytes) {
        body.writeBytes(bytes);
    }

    void ended() {
        end.countDown();
    }

    synchronized void failed(Throwable cause) {
        failure = cause;
        end.countDown();
    }

    /** Waits for the end of the response, as long as more of it arrives. */
    public Http3Answer await() throws InterruptedException {
        int before = -1;
        while (!end.await(TestTimeout.LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
            int received = bytes().length;
            assertThat(received).as("more of the response arrives").isGreaterThan(before);
            before = received;
        }
        return this;
    }

    /** Why the response is not complete; null if it is, or has not ended. */
    public synchronized @Nullable Throwable failure() {
        return failure;
    }

    /** Whether the response is complete. */
    public synchronized boolean isComplete() {
        return end.getCount() == 0 && failure == null;
    }

    /** Whether the server has reset the stream or closed the connection. */
    public synchronized boolean isFailed() {
        return failure != null;
    }

    /** Whether a head with a status of at least 200 has arrived. */
    public synchronized boolean hasHead() {
        return heads.stream()
                .anyMatch(head -> !head.getOrDefault(":status", "1").startsWith("1"));
    }

    /** All statuses, those of informational responses too. */
    public synchronized List<String> statuses() {
        return heads.stream()
                .filter(head -> head.containsKey(":status"))
                .map(head -> head.get(":status"))
                .toList();
    }

    /** The status of the final response. */
    public int status() {
        List<String> all = statuses();
        return all.isEmpty() ? 0 : Integer.parseInt(all.get(all.size() - 1));
    }

    /** The value of a field of the final head; empty if there is none. */
    public synchronized String header(String name) {
        return heads.stream()
                .filter(head -> head.containsKey(":status"))
                .reduce((first, second) -> second)
                .map(head -> head.getOrDefault(name, ""))
                .orElse("");
    }

    /** The fields of the trailers; empty if there are none. */
    public synchronized Map<String, String> trailers() {
        return heads.stream()
                .filter(head -> !head.containsKey(":status"))
                .findFirst()
                .orElse(Map.of());
    }

    /** The bytes of the body that have arrived. */
    public synchronized byte[] bytes() {
        return body.toByteArray();
    }

    /** The body as text. */
    public String body() {
        return new String(bytes(), StandardCharsets.ISO_8859_1);
    }
}
