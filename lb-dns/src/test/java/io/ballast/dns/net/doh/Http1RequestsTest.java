package io.ballast.dns.net.doh;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.net.stream.EmbeddedStream;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.ZoneFixture;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpServerCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the deadlines of HTTP/1.1 clients. */
class Http1RequestsTest {

    private static final String QUERY = "AAAAAAABAAAAAAAAA2FwcAdleGFtcGxlA2NvbQAAAQAB";
    private static final String GET = "GET /dns-query?dns=" + QUERY + " HTTP/1.1\r\nHost: a\r\n\r\n";

    private final EmbeddedStream stream = new EmbeddedStream(new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web")));

    Http1RequestsTest() {
        stream.channel()
                .pipeline()
                .addLast(
                        new RequestStartDetector(stream.connection()),
                        new HttpServerCodec(),
                        new Http1Requests(stream.connection()));
    }

    @AfterEach
    void close() {
        stream.channel().finishAndReleaseAll();
        assertThat(stream.sum(DnsCounter.ERRORS)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G",
                "GET /dns-query?dns=AAAA HTTP/1.1\r\nHost: a",
                "POST /dns-query HTTP/1.1\r\nHost: a\r\nContent-Type: application/dns-message\r\n"
                        + "Content-Length: 40\r\n\r\nabc"
            })
    void incompleteRequestsTimeOut(String beginning) {
        send(beginning.substring(0, 1));
        stream.pass(EmbeddedStream.MESSAGE.toMillis() - 1000);
        send(beginning.substring(1));
        assertThat(stream.channel().isOpen()).isTrue();

        stream.pass(1000 + EmbeddedStream.TICK_MILLIS);
        assertThat(stream.channel().isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.SLOW_SENDER)).isEqualTo(1);
    }

    @Test
    void onlyValidRequestsExtendIdleTimeout() {
        stream.pass(9_000);
        send(GET);
        assertThat(received()).startsWith("HTTP/1.1 200 OK\r\n");
        stream.pass(9_000);
        send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(received()).startsWith("HTTP/1.1 404 Not Found\r\n").contains("content-length: 0\r\n");
        assertThat(stream.channel().isOpen()).isTrue();

        stream.pass(1_000 + EmbeddedStream.TICK_MILLIS);
        assertThat(stream.channel().isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.IDLE)).isEqualTo(1);
        assertThat(stream.sum(DnsCounter.SLOW_SENDER)).isZero();
    }

    @Test
    void http10ConnectionsCloseAfterAnswer() {
        send("GET /dns-query?dns=" + QUERY + " HTTP/1.0\r\n\r\n");

        assertThat(received()).startsWith("HTTP/1.1 200 OK\r\n");
        assertThat(stream.channel().isOpen()).isFalse();
    }

    @Test
    void sendsContinue() {
        List<String> head = List.of(
                "POST /dns-query HTTP/1.1",
                "Host: a",
                "Content-Type: application/dns-message",
                "Expect: 100-continue",
                "Content-Length: 12");
        send(String.join("\r\n", head) + "\r\n\r\n");
        assertThat(received()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");

        send("\0\0\0\0\0\0\0\0\0\0\0\0");
        assertThat(received()).startsWith("HTTP/1.1 200 OK\r\n");
    }

    private void send(String text) {
        stream.channel().writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private String received() {
        StringBuilder text = new StringBuilder();
        for (Object part = stream.channel().readOutbound();
                part != null;
                part = stream.channel().readOutbound()) {
            ByteBuf bytes = (ByteBuf) part;
            text.append(new String(ByteBufUtil.getBytes(bytes), StandardCharsets.ISO_8859_1));
            bytes.release();
        }
        return text.toString();
    }
}
