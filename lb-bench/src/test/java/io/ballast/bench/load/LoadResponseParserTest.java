package io.ballast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LoadResponseParserTest {

    private static final String RESPONSE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private final LoadResponseParser reader = new LoadResponseParser();

    @Test
    void aResponseIsCompleteWithItsLastByteForAnySplit() {
        for (int cut = 1; cut < RESPONSE.length(); cut++) {
            reader.reset();

            assertThat(read(RESPONSE.substring(0, cut)))
                    .as("first %d bytes", cut)
                    .isFalse();
            assertThat(read(RESPONSE.substring(cut))).as("the rest").isTrue();
            assertThat(reader.status()).isEqualTo(200);
        }
    }

    @Test
    void aBodyLargerThanTheHeadLimitIsRead() {
        assertThat(read("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")).isFalse();
        assertThat(read("x".repeat(99_999))).isFalse();
        assertThat(read("x")).isTrue();
    }

    @Test
    void aConnectionCloseHeaderIsDetected() {
        read("HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");

        assertThat(reader.status()).isEqualTo(503);
        assertThat(reader.closes()).isTrue();
    }

    @Test
    void bytesAfterTheResponseAreAnError() {
        assertThatThrownBy(() -> read(RESPONSE + "!")).hasMessage("1 bytes after the response");
    }

    @Test
    void aResponseWithoutALengthIsAnError() {
        assertThatThrownBy(() -> read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .hasMessageStartingWith("expected HTTP/1.1 and Content-Length");
    }

    @Test
    void aTooLongHeadIsAnError() {
        assertThatThrownBy(() -> read("x".repeat(20_000))).hasMessageStartingWith("a head of more than");
    }

    private boolean read(String text) {
        return reader.read(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }
}
