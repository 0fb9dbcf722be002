package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Fuzzes chunked bodies with arbitrary bytes and segments. */
class ChunkedBodyFuzzTest {

    /** Maximum body length; below all limits of the scanner, because the reference implements no limits. */
    private static final int LONGEST = 4_000;

    private final ChunkScanner scanner = new ChunkScanner();

    @FuzzTest
    void scansArbitraryBody(byte[] input) {
        byte[] bytes = Arrays.copyOf(input, Math.min(input.length, LONGEST));
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        ByteBuf buffer = Unpooled.wrappedBuffer(bytes);
        String whole = follow(buffer, bytes.length, new Random(0), bytes.length);

        assertThat(follow(buffer, bytes.length, new Random(0), 1)).isEqualTo(whole);
        assertThat(follow(buffer, bytes.length, new Random(Arrays.hashCode(bytes)), 9))
                .isEqualTo(whole);

        int end = NaiveChunks.end(text);
        assertThat(scanner.fault() != null).as(text).isEqualTo(end == NaiveChunks.BAD);
        assertThat(scanner.isDone()).as(text).isEqualTo(end > 0);
        if (end > 0) {
            assertThat(whole).isEqualTo("done at " + end + ": " + NaiveChunks.data(text));
        }
    }

    /** Scans the buffer in segments of at most {@code longest} bytes; returns the result. */
    private String follow(ByteBuf buffer, int length, Random random, int longest) {
        scanner.reset();
        StringBuilder data = new StringBuilder();
        int at = 0;
        while (at < length && !scanner.isDone() && scanner.fault() == null) {
            int to = Math.min(length, at + 1 + random.nextInt(longest));
            at = scanner.scan(
                    buffer,
                    at,
                    to,
                    (from, count) -> data.append(buffer.toString(from, count, StandardCharsets.ISO_8859_1)));
        }
        assertThat(scanner.dataBytes()).isEqualTo(data.length());
        if (scanner.fault() != null) {
            return "rejected at " + at + ": " + scanner.fault();
        }
        return (scanner.isDone() ? "done at " : "incomplete at ") + at + ": " + data;
    }
}
