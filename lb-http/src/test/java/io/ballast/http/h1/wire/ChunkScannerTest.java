package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.HeadError;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the chunk scanner; {@code _} stands for CRLF in test data. */
class ChunkScannerTest {

    private final ChunkScanner scanner = new ChunkScanner();
    private final StringBuilder data = new StringBuilder();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0__",
                "3_abc_0__",
                "003_abc_00000000000000__",
                "3;a_abc_0;b=\"c d\"__",
                "3;a;b=c;d=\"e\";f_abc_A_0123456789_0_T: u_V:__",
                "1;!a=%b_\\_0;c=\"\\\"\\\\;\t=\u00e4\"__",
                "a_0123456789_B_0123456789a_0_X-Y:\u00e4 \t_"
            })
    void acceptsAnyFragmentation(String shape) {
        String body = lines(shape.endsWith("__") ? shape : shape + "_");
        String expected = whole(body + "GET /next");
        for (int split = 0; split <= body.length(); split++) {
            scanner.reset();
            data.setLength(0);

            int first = scan(body.substring(0, split));
            int second = scan(body.substring(split) + "GET /next");

            assertThat(first).isEqualTo(split);
            assertThat(second).isEqualTo(body.length() - split);
            assertThat(scanner.isDone()).isTrue();
            assertThat(scanner.fault()).isNull();
            assertThat(data).hasToString(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "_, MALFORMED_CHUNK",
        "g_, MALFORMED_CHUNK",
        "-1_a_, MALFORMED_CHUNK",
        "0x1_a_, MALFORMED_CHUNK",
        "' 1_a_', MALFORMED_CHUNK",
        "'1 _a_', MALFORMED_CHUNK",
        "1;_a_, MALFORMED_CHUNK",
        "1;;_a_, MALFORMED_CHUNK",
        "1;=b_a_, MALFORMED_CHUNK",
        "1;a=_a_, MALFORMED_CHUNK",
        "1;a=b=c_a_, MALFORMED_CHUNK",
        "'1;a=\"b\"c_a_', MALFORMED_CHUNK",
        "'1;a=\"b_a_', MALFORMED_CHUNK",
        "'1;a=\"\\_a_', MALFORMED_CHUNK",
        "'1; a_a_', MALFORMED_CHUNK",
        "'1;a =b_a_', MALFORMED_CHUNK",
        "'1;a b_a_', MALFORMED_CHUNK",
        "1;a/b_a_, MALFORMED_CHUNK",
        "1_ab, MALFORMED_CHUNK",
        "1_a0__, MALFORMED_CHUNK",
        "000000000000001_a_, MALFORMED_CHUNK",
        "0_:_, MALFORMED_CHUNK",
        "0_ X: y__, MALFORMED_CHUNK",
        "'0_X : y__', MALFORMED_CHUNK",
        "0_X_, MALFORMED_CHUNK",
        "0_Content-Length: 1__, FORBIDDEN_TRAILER",
        "0_transfer-ENCODING: chunked__, FORBIDDEN_TRAILER",
        "0_X: y_Host: a__, FORBIDDEN_TRAILER",
        "0_Set-Cookie: a__, FORBIDDEN_TRAILER",
        "0_X-Forwarded-For: a__, FORBIDDEN_TRAILER"
    })
    void badBodyIsRejectedHoweverItIsSplit(String shape, HeadError expected) {
        String body = lines(shape);
        for (int split = 0; split <= body.length(); split++) {
            scanner.reset();

            scan(body.substring(0, split));
            scan(body.substring(split));

            assertThat(scanner.fault()).as("split at %d", split).isEqualTo(expected);
            assertThat(scanner.isDone()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1\na\r\n", "1;x\na", "1;\0", "1;x\u007f", "1\r\na\n", "0\r\nX: y\n", "0\r\n\n", "1\r\r\n"})
    void rejectsBareLineEndsAndControlCharacters(String body) {
        scan(body);

        assertThat(scanner.fault()).isEqualTo(HeadError.MALFORMED_CHUNK);
    }

    @Test
    void acceptsManySmallChunks() {
        String body = "1\r\na\r\n".repeat(100_000) + "0\r\n\r\n";

        assertThat(scan(body)).isEqualTo(body.length());
        assertThat(scanner.isDone()).isTrue();
        assertThat(scanner.dataBytes()).isEqualTo(100_000);
    }

    @Test
    void rejectsExcessiveFraming() {
        String chunk = "1;" + "x".repeat(98) + "\r\na\r\n";

        assertThat(scan(chunk.repeat(190))).isEqualTo(190 * chunk.length());
        assertThat(scanner.fault()).isNull();
        scan(chunk.repeat(20));
        assertThat(scanner.fault()).isEqualTo(HeadError.MALFORMED_CHUNK);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void matchesReferenceForRandomBodies(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String body = random(random);
            ByteBuf buffer = Unpooled.copiedBuffer(body, StandardCharsets.ISO_8859_1);
            scanner.reset();
            int end = 0;
            while (end < body.length() && !scanner.isDone() && scanner.fault() == null) {
                end = scanner.scan(buffer, end, Math.min(body.length(), end + 1 + random.nextInt(9)), null);
            }

            int expected = NaiveChunks.end(body);
            String output =
                    "seed " + seed + ", body " + body.replace("\r", "\\r").replace("\n", "\\n");
            assertThat(scanner.isDone()).as(output).isEqualTo(expected > 0);
            assertThat(scanner.fault() != null).as(output).isEqualTo(expected == NaiveChunks.BAD);
            if (expected > 0) {
                assertThat(end).as(output).isEqualTo(expected);
            }
        }
    }

    private static String random(Random random) {
        StringBuilder body = new StringBuilder();
        String[] parts = {"1\r\na\r\n", "3;x\r\nabc\r\n", "0\r\n", "T: u\r\n", "\r\n", "0A\r\n0123456789\r\n"};
        for (int i = random.nextInt(6); i >= 0; i--) {
            body.append(parts[random.nextInt(parts.length)]);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            body.setCharAt(random.nextInt(body.length()), "\r\n 0;:xT\0".charAt(random.nextInt(9)));
        }
        return body.toString();
    }

    private int scan(String text) {
        ByteBuf buffer = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
        return scanner.scan(
                buffer,
                0,
                buffer.writerIndex(),
                (from, length) -> data.append(buffer.toString(from, length, StandardCharsets.ISO_8859_1)));
    }

    private String whole(String body) {
        scanner.reset();
        data.setLength(0);
        scan(body);
        return data.toString();
    }

    private static String lines(String shape) {
        return shape.replace("_", "\r\n");
    }
}
