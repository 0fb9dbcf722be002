package io.ballast.http.h2.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request received on one stream. Fields are {@code name: value}. Confined to the connection's thread until the
 * request is handed over to the test.
 */
public final class Http2Request {

    final List<List<String>> blocks = new ArrayList<>();
    final ByteArrayOutputStream data = new ByteArrayOutputStream();
    boolean ended;
    /** Whether the head ended the stream. */
    boolean endedByHead;

    boolean seen;
    boolean seenHead;
    int resetCode = -1;
    private final int stream;

    Http2Request(int stream) {
        this.stream = stream;
    }

    public int stream() {
        return stream;
    }

    /** Fields of the head, in order. */
    public List<String> head() {
        return blocks.isEmpty() ? List.of() : blocks.get(0);
    }

    /** Value of the first field with this name; null if there is none. */
    public @Nullable String header(String name) {
        return head().stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse(null);
    }

    /** Trailers. */
    public List<String> trailers() {
        return blocks.size() < 2 ? List.of() : blocks.get(1);
    }

    public String body() {
        return data.toString(StandardCharsets.ISO_8859_1);
    }

    public byte[] bytes() {
        return data.toByteArray();
    }

    public int bodyBytes() {
        return data.size();
    }

    public boolean isEnded() {
        return ended;
    }

    /** Whether the head ended the stream. */
    public boolean isHeadOnly() {
        return endedByHead;
    }

    /** Error code of the reset; -1 without a reset. */
    public int resetCode() {
        return resetCode;
    }
}
