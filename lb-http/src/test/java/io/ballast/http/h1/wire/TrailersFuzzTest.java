package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Fuzzes trailers with arbitrary bytes: forwarded trailers must be complete, valid, and the same for another parser.
 */
class TrailersFuzzTest {

    private static final String HEAD = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String LAST_CHUNK = "0\r\n";

    @FuzzTest
    void scansArbitraryTrailers(byte[] input) {
        String text = LAST_CHUNK + new String(input, StandardCharsets.ISO_8859_1);
        ByteBuf buffer = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
        ChunkScanner scanner = new ChunkScanner();
        scanner.reset();
        int end = scanner.scan(buffer, 0, buffer.writerIndex(), /* sink= */ null);
        if (!scanner.isDone()) {
            return;
        }
        String section = text.substring(LAST_CHUNK.length(), end);
        assertThat(section).matches("(?s)([^\r\n]+\r\n)*\r\n");
        StringBuilder expected = new StringBuilder();
        for (String line : section.split("\r\n")) {
            if (!line.isEmpty()) {
                assertThat(line).matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\t\\x20-\\x7e\\x80-\\xff]*");
                String name = line.substring(0, line.indexOf(':'));
                assertThat(name.toLowerCase(Locale.ROOT)).doesNotMatch(NaiveChunks.FORBIDDEN);
                expected.append(name)
                        .append('=')
                        .append(trimmed(line.substring(name.length() + 1)))
                        .append('\n');
            }
        }

        NettyParseResult reading = NettyParseResult.ofRequest(HEAD + text.substring(0, end));

        assertThat(reading.fault()).as(section).isNull();
        assertThat(reading.ended()).as(section).isTrue();
        assertThat(reading.trailers()).isEqualTo(expected.toString());
    }

    private static String trimmed(String value) {
        return value.replaceAll("^[ \t]+|[ \t]+$", "");
    }
}
