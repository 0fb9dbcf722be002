package io.ballast.dashboard.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;

/** A client of the event stream. */
public final class EventStream implements AutoCloseable {

    private static final int WAIT_SECONDS = 20;
    private static final int SMALL_PIECES = 512;

    private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> end = new LinkedBlockingQueue<>();
    private final HttpResponse<InputStream> response;

    /** A received message; {@code id} is empty if it was not sent. */
    public record Message(String event, String id, JsonTree data) {}

    public EventStream(DashboardFixture fixture, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(fixture.uri("/api/v1/stream"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        this.response = fixture.client().send(request.build(), BodyHandlers.ofInputStream());
        Thread reader = new Thread(this::read, "stream-reader");
        reader.setDaemon(true);
        reader.start();
    }

    public HttpResponse<InputStream> response() {
        return response;
    }

    /** Returns the next message of any type. */
    public Message next() throws InterruptedException {
        Message message = messages.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no message within " + WAIT_SECONDS + " s");
        }
        return message;
    }

    /** Returns the next message of one type and skips other messages. */
    public Message next(String event) throws InterruptedException {
        Message message = next();
        while (!message.event().equals(event)) {
            message = next();
        }
        return message;
    }

    /**
     * Returns the next message of one type with matching data. Skips other messages, which may have been sent before.
     */
    public Message next(String event, Predicate<JsonTree> data) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        Message message = next(event);
        while (!data.test(message.data())) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("no such " + event + " within " + WAIT_SECONDS + " s");
            }
            message = next(event);
        }
        return message;
    }

    /** Waits for the end of the stream. Returns {@code complete}, or the error. */
    public String awaitEnd() throws InterruptedException {
        String how = end.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        return how == null ? "not within " + WAIT_SECONDS + " s" : how;
    }

    @Override
    public void close() throws IOException {
        response.body().close();
    }

    private void read() {
        boolean gzip = response.headers().firstValue("content-encoding").isPresent();
        try (InputStream body = gzip ? new GzipPieces(response.body()) : response.body();
                var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            Map<String, String> fields = new HashMap<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isEmpty()) {
                    String[] parts = line.split(": ?", 2);
                    fields.put(parts[0], parts[1]);
                } else if (fields.containsKey("data")) {
                    messages.add(new Message(
                            fields.get("event"), fields.getOrDefault("id", ""), JsonTree.of(fields.get("data"))));
                    fields.clear();
                }
            }
            end.add("complete");
        } catch (IOException e) {
            end.add("broken: " + e.getMessage());
        }
    }

    /**
     * Returns decompressed data as it arrives. The available bytes of a {@link GZIPInputStream} are never 0, so that a
     * reader of characters would wait until its buffer is full.
     */
    private static final class GzipPieces extends GZIPInputStream {

        GzipPieces(InputStream compressed) throws IOException {
            super(compressed, SMALL_PIECES);
        }

        @Override
        public int available() {
            return 0;
        }
    }
}
