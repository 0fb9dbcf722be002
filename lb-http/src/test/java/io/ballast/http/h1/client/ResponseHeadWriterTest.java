package io.ballast.http.h1.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HostHeader;
import io.ballast.http.h1.client.ResponseHeadWriter.ClientConnectionHeader;
import io.ballast.http.h1.wire.Heads;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.header.RouteHeaderEdits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // lines of HTTP end with CRLF
class ResponseHeadWriterTest {

    private static final String BODY = "body, and more of it";

    @ParameterizedTest
    @EnumSource(ClientConnectionHeader.class)
    void connectionHeaderFollowsForwardedHeaders(ClientConnectionHeader connection) {
        String line =
                switch (connection) {
                    case NONE -> "";
                    case CLOSE -> "Connection: close\r\n";
                    case KEEP_ALIVE -> "Connection: keep-alive\r\n";
                    case UPGRADE -> "Connection: Upgrade\r\n";
                };

        assertThat(rewrite("HTTP/1.1 200 OK\r\nX: y\r\nx:  z\r\n\r\n", connection, false))
                .isEqualTo("HTTP/1.1 200 OK\r\nX: y\r\nx:  z\r\n" + line + "\r\n" + BODY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length:\\t20\\t | Content-Length:20",
                "Content-Length:   020 | Content-Length: 20",
                "Transfer-Encoding: chunked\\t | Transfer-Encoding: chunked",
                "Transfer-Encoding: Chunked | Transfer-Encoding: chunked"
            })
    void framingFieldsAreCanonical(String line, String written) {
        String head = "HTTP/1.1 200 OK\r\n" + line.replace("\\t", "\t") + "\r\nX:\t0 \r\nDate: now\r\n\r\n";

        assertThat(rewrite(head, ClientConnectionHeader.NONE, false))
                .isEqualTo("HTTP/1.1 200 OK\r\n" + written + "\r\nX:\t0 \r\nDate: now\r\n\r\n" + BODY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: close",
                "Connection: x",
                "Keep-Alive: timeout=5, max=1000",
                "Proxy-Authenticate: Basic",
                "Upgrade: h2c",
                "Proxy-Connection: a-very-long-value-that-leaves-more-room-than-any-line-of-ours-takes"
            })
    void hopByHopFieldsAreRemoved(String line) {
        for (ClientConnectionHeader connection : EnumSet.complementOf(EnumSet.of(ClientConnectionHeader.UPGRADE))) {
            String head = rewrite("HTTP/1.1 200 OK\r\n\r\n", connection, false)
                    .replace("HTTP/1.1 200 OK\r\n", "")
                    .replace(BODY, "");

            assertThat(rewrite(
                            "HTTP/1.0 200 OK\r\n" + line + "\r\nA: b\r\n" + line + "\r\nC: d\r\n" + line + "\r\n\r\n",
                            connection,
                            false))
                    .isEqualTo("HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n" + head + BODY);
        }
    }

    @Test
    void switchingProtocolsKeepsOnlyUpgrade() {
        assertThat(rewrite(
                        "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade, Foo\r\nupgrade:  WebSocket\r\n"
                                + "Keep-Alive: x\r\nfoo: 1\r\nSec-WebSocket-Accept: y\r\n\r\n",
                        ClientConnectionHeader.UPGRADE,
                        false))
                .isEqualTo("HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nSec-WebSocket-Accept: y\r\n"
                        + "Connection: Upgrade\r\n\r\n" + BODY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Foo", "x-fOO"})
    void fieldsNamedByConnectionAreRemovedExceptFraming(String name) {
        assertThat(rewrite(
                        "HTTP/1.1 200 OK\r\nConnection: x-foo, content-length\r\nContent-Length: 20\r\n" + name
                                + ": 1\r\nX-Foobar: 2\r\n\r\n",
                        ClientConnectionHeader.NONE,
                        false))
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 20\r\nX-Foobar: 2\r\n\r\n" + BODY);
    }

    @ParameterizedTest
    @EnumSource(ClientConnectionHeader.class)
    void chunkedCodingIsRemovedForHttp10(ClientConnectionHeader connection) {
        assertThat(rewrite("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n", connection, true))
                .startsWith("HTTP/1.1 200 OK\r\nA: b\r\n")
                .doesNotContain("chunked")
                .endsWith("\r\n\r\n" + BODY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"100 Continue", "103 Early Hints", "204 No Content"})
    void framingIsRemovedWithoutBody(String status) {
        for (String framing : new String[] {"Content-Length: 5", "Transfer-Encoding: chunked"}) {
            assertThat(rewrite(
                            "HTTP/1.1 " + status + "\r\nA: b\r\n" + framing + "\r\nC: d\r\n\r\n",
                            ClientConnectionHeader.NONE,
                            false))
                    .isEqualTo("HTTP/1.1 " + status + "\r\nA: b\r\nC: d\r\n\r\n" + BODY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"200 OK", "205 Reset Content", "304 Not Modified"})
    void framingOfOtherResponsesIsKept(String status) {
        String head = "HTTP/1.1 " + status + "\r\nContent-Length: 5\r\n\r\n";

        assertThat(rewrite(head, ClientConnectionHeader.NONE, false)).isEqualTo(head + BODY);
    }

    @ParameterizedTest
    @EnumSource(ClientConnectionHeader.class)
    void rulesRemoveAndAppendLines(ClientConnectionHeader connection) {
        HeaderChanges changes = new HeaderChanges(
                List.of(new HeaderField("X-Set", HeaderValue.parse("$backend"))),
                List.of(new HeaderField("X-Add", HeaderValue.parse("1"))),
                List.of("server"));
        CompiledHeaderChanges edits = RouteHeaderEdits.compile(
                        List.of(new HeaderRules(HeaderChanges.NONE, changes)), new HostHeader.Keep())
                .response();
        String head = rewrite("HTTP/1.1 200 OK\r\n\r\n", connection, false)
                .replace("HTTP/1.1 200 OK\r\n", "")
                .replace("\r\n" + BODY, "");

        for (String removed :
                new String[] {"", "Server: a-long-value-that-leaves-room-for-every-line-of-the-rules\r\n"}) {
            assertThat(rewrite(
                            "HTTP/1.0 200 OK\r\n" + removed + "x-set: a\r\nA: b\r\nSERVER: c\r\nX-ADD: d\r\n\r\n",
                            connection,
                            false,
                            edits))
                    .isEqualTo("HTTP/1.1 200 OK\r\nA: b\r\nX-ADD: d\r\n" + head + "X-Set: <backend>\r\nX-Add: 1\r\n\r\n"
                            + BODY);
        }
    }

    @Test
    void addsMissingDate() {
        String date = "Date: " + new String(Rewriting.DATE, StandardCharsets.US_ASCII) + "\r\n";
        for (String removed :
                new String[] {"", "Keep-Alive: a-long-value-that-leaves-room-for-the-date-and-more\r\n"}) {
            assertThat(rewriteUndated(
                            "HTTP/1.1 200 OK\r\n" + removed + "A: b\r\n\r\n",
                            ClientConnectionHeader.CLOSE,
                            false,
                            CompiledHeaderChanges.NONE))
                    .isEqualTo("HTTP/1.1 200 OK\r\nA: b\r\n" + date + "Connection: close\r\n\r\n" + BODY);
        }
        assertThat(rewriteUndated(
                        "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n",
                        ClientConnectionHeader.NONE,
                        false,
                        CompiledHeaderChanges.NONE))
                .isEqualTo("HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n" + BODY);
    }

    @Test
    void connectionHeaderCannotRemoveDate() {
        String head = "HTTP/1.1 200 OK\r\nDate: yesterday\r\n\r\n";

        assertThat(rewriteUndated(
                        head.replace("Date:", "Connection: date\r\nDate:"),
                        ClientConnectionHeader.NONE,
                        false,
                        CompiledHeaderChanges.NONE))
                .isEqualTo(head + BODY);
    }

    @ParameterizedTest
    @EnumSource(ClientConnectionHeader.class)
    void addsMissingSpaceAfterStatus(ClientConnectionHeader connection) {
        String head = rewrite("HTTP/1.1 200 \r\n\r\n", connection, false);

        assertThat(head).startsWith("HTTP/1.1 200 \r\n");
        assertThat(rewrite("HTTP/1.1 200\r\n\r\n", connection, false)).isEqualTo(head);
        assertThat(rewrite("HTTP/1.0 200\r\nKeep-Alive: x\r\n\r\n", connection, false))
                .isEqualTo(head);
    }

    private static String rewrite(String head, ClientConnectionHeader connection, boolean dropChunked) {
        return rewrite(head, connection, dropChunked, CompiledHeaderChanges.NONE);
    }

    /** Rewrites the head with a {@code Date} from the backend, which must stay unchanged. */
    private static String rewrite(
            String head, ClientConnectionHeader connection, boolean dropChunked, CompiledHeaderChanges edits) {
        String dated = head.replaceFirst("\r\n", "\r\nDate: yesterday\r\n");
        String written = rewriteUndated(dated, connection, dropChunked, edits);
        assertThat(written).containsOnlyOnce("\r\nDate: yesterday\r\n");
        return written.replace("Date: yesterday\r\n", "");
    }

    private static String rewriteUndated(
            String head, ClientConnectionHeader connection, boolean dropChunked, CompiledHeaderChanges edits) {
        ResponseScanner response = Heads.response(head);
        assertThat(response.fault).as(head).isNull();
        // The buffer starts with data that was already forwarded, as after a 1xx response.
        ByteBuf received = UnpooledByteBufAllocator.DEFAULT.directBuffer();
        received.writeCharSequence("before" + head + BODY, StandardCharsets.ISO_8859_1);
        received.skipBytes("before".length());
        ByteBuf written = new ResponseHeadWriter()
                .rewrite(
                        response,
                        received,
                        connection,
                        Rewriting.DATE,
                        dropChunked,
                        edits,
                        (variable, target) -> target.append(ByteClasses.ascii("<" + variable.label() + ">")),
                        UnpooledByteBufAllocator.DEFAULT);
        try {
            return written.toString(StandardCharsets.ISO_8859_1);
        } finally {
            written.release();
        }
    }
}
