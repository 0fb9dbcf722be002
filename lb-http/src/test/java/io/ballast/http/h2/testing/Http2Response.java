package io.ballast.http.h2.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A response received on one stream. Fields are {@code name: value}. Confined to the test's thread. */
public final class Http2Response {

    final List<List<String>> blocks = new ArrayList<>();
    final ByteArrayOutputStream data = new ByteArrayOutputStream();
    long window;
    boolean ended;

    @Nullable Integer resetCode;

    /** Status of the last head; 0 before it arrives. */
    public int status() {
        String status = "0";
        for (List<String> block : blocks) {
            if (!block.isEmpty() && block.get(0).startsWith(":status: ")) {
                status = block.get(0).substring(9);
            }
        }
        return Integer.parseInt(status);
    }

    /** Fields of the head. */
    public List<String> head() {
        return blocks.stream()
                .filter(block -> block.contains(":status: " + status()))
                .findFirst()
                .orElse(List.of());
    }

    /** Fields of all blocks in order: interim heads, head, trailers. */
    public List<List<String>> blocks() {
        return blocks;
    }

    /** Value of the first field of the head with that name; null if there is none. */
    public @Nullable String header(String name) {
        return head().stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse(null);
    }

    /** Trailers; empty if there are none. */
    public List<String> trailers() {
        List<String> last = blocks.isEmpty() ? List.of() : blocks.get(blocks.size() - 1);
        return last.isEmpty() || last.get(0).startsWith(":") ? List.of() : last;
    }

    public String body() {
        return data.toString(StandardCharsets.ISO_8859_1);
    }

    public byte[] bytes() {
        return data.toByteArray();
    }

    /** Whether the stream has ended without a reset. */
    public boolean isComplete() {
        return ended && resetCode == null;
    }

    public boolean isEnded() {
        return ended;
    }

    /** Error code of the reset; -1 without a reset. */
    public int resetCode() {
        Integer code = resetCode;
        return code == null ? -1 : code;
    }
}
