package io.ballast.http.h2.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a backend got on one stream. Fields are {@code name: value}. Confined to the connection's thread, then handed on. */
public final class Http2Request {

    final List<List<String>> blocks = new ArrayList<>();
    final ByteArrayOutputStream data = new ByteArrayOutputStream();
    boolean ended;
    /** Whether the end came with the head. */
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

    /** Fields of the head, in their order. */
    public List<String> head() {
        return blocks.isEmpty() ? List.of() : blocks.get(0);
    }

    /** The value of the first field of that name; null if there is none. */
    public @Nullable String header(String name) {
        return head().stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse(null);
    }

    /** Fields behind the body. */
    public List<String> trailers() {
        return blocks.size() < 2 ? List.of() : blocks.get(1);
    }

    public String body() {
        return data.toString(StandardCharsets.ISO_8859_1);
    }

    public byte[] octets() {
        return data.toByteArray();
    }

    public int bodyBytes() {
        return data.size();
    }

    public boolean isEnded() {
        return ended;
    }

    /** Whether the head said that nothing follows. */
    public boolean isHeadOnly() {
        return endedByHead;
    }

    /** The code that the stream was reset with; -1 if it was not. */
    public int resetCode() {
        return resetCode;
    }
}
