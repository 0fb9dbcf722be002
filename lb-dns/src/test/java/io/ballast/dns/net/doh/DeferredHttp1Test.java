package io.ballast.dns.net.doh;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.net.stream.EmbeddedStream;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.DeferredQueries;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpServerCodec;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** Tests HTTP/1.1 requests with delayed answers. */
class DeferredHttp1Test {

    private static final Pattern STATUS = Pattern.compile("HTTP/1.1 ([0-9]{3})|max-age=([0-9]+)");
    private static final String OWN = get("app.example.com", "1.1");
    private static final String DEFERRED = get("app.example.org", "1.1");

    private final DeferredQueries held = new DeferredQueries();
    private final EmbeddedStream stream = new EmbeddedStream(
            new ZoneFixture()
                    .pool("web", ZoneFixture.backend("192.0.2.1"))
                    .zone("example.com", ZoneFixture.service("app", "web")),
            held);

    @BeforeEach
    void connect() {
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

    @Test
    void pipelinedRequestsWaitWithoutReading() {
        send(DEFERRED + OWN + DEFERRED + OWN);
        assertThat(received()).isEmpty();
        assertThat(stream.sum(DnsCounter.QUERIES_DOH)).isEqualTo(1);
        assertThat(stream.channel().config().isAutoRead()).isFalse();

        answer(0);
        assertThat(received()).containsExactly("200", "77", "200", "30");
        assertThat(stream.channel().config().isAutoRead()).isFalse();

        answer(1);
        assertThat(received()).containsExactly("200", "77", "200", "30");
        assertThat(stream.channel().config().isAutoRead()).isTrue();
    }

    @Test
    void pipelinedBodiesAreKept() {
        String query = "\0\0\0\0\0\0\0\0\0\0\0\0";
        send(DEFERRED + "POST /dns-query HTTP/1.1\r\nHost: a\r\nContent-Type: application/dns-message\r\n"
                + "Content-Length: 12\r\n\r\n" + query);

        answer(0);

        assertThat(received()).containsExactly("200", "77", "200", "0");
    }

    @Test
    void waitingClientDoesNotTimeOut() {
        send(DEFERRED);
        send(OWN.substring(0, 10));
        stream.pass(3 * EmbeddedStream.IDLE.toMillis());
        assertThat(stream.channel().isOpen()).isTrue();

        answer(0);
        send(OWN.substring(10));
        assertThat(received()).containsExactly("200", "77", "200", "30");
        stream.pass(EmbeddedStream.IDLE.toMillis() + EmbeddedStream.TICK_MILLIS);
        assertThat(stream.channel().isOpen()).isFalse();
        assertThat(stream.sum(DnsCounter.IDLE)).isEqualTo(1);
    }

    @Test
    void http10ConnectionsCloseAfterAnswer() {
        send(get("app.example.org", "1.0"));
        assertThat(stream.channel().isOpen()).isTrue();

        answer(0);
        assertThat(received()).containsExactly("200", "77");
        assertThat(stream.channel().isOpen()).isFalse();
    }

    @Test
    void disconnectedClientIsReleased() {
        send(DEFERRED + DEFERRED);
        stream.channel().close();

        answer(0);

        assertThat(held.count()).isEqualTo(1);
        assertThat(received()).isEmpty();
    }

    private static String get(String name, String version) {
        byte[] query = Messages.query(name, Type.A).toWire();
        return "GET /dns-query?dns=" + Base64.getUrlEncoder().withoutPadding().encodeToString(query) + " HTTP/"
                + version + "\r\nHost: a\r\n\r\n";
    }

    private void send(String text) {
        stream.channel().writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private void answer(int index) {
        held.answer(index);
        stream.channel().runPendingTasks();
    }

    /** Returns status and {@code max-age} of each response. */
    private List<String> received() {
        StringBuilder text = new StringBuilder();
        for (Object part = stream.channel().readOutbound();
                part != null;
                part = stream.channel().readOutbound()) {
            ByteBuf bytes = (ByteBuf) part;
            text.append(new String(ByteBufUtil.getBytes(bytes), StandardCharsets.ISO_8859_1));
            bytes.release();
        }
        return STATUS.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1) == null ? found.group(2) : found.group(1))
                .toList();
    }
}
