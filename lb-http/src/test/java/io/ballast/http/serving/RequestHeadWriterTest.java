package io.ballast.http.serving;

import static io.ballast.http.serving.WrittenHead.head;
import static io.ballast.http.serving.WrittenHead.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HostHeader;
import io.ballast.http.config.Forwarding;
import io.ballast.http.header.RouteHeaderEdits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the request line and the headers that are sent to backends, except the headers that describe the client. */
class RequestHeadWriterTest {

    private static final String BACKEND = "10.0.0.1:8080";

    @Test
    void endToEndFieldsAreUnchanged() {
        String head = "GET /a/../%2F//b?c HTTP/1.1\r\nhOST: A:80\r\nX:  y \t\r\nx: y\r\nCookie: \u00e4\r\nX: \r\n\r\n";

        assertThat(write(head)).isEqualTo(head);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: close",
                "connection:",
                "Keep-Alive: timeout=5",
                "Proxy-Connection: keep-alive",
                "Proxy-Authenticate: Basic",
                "PROXY-AUTHORIZATION: Basic x",
                "TE: gzip",
                "TE: trailers, gzip",
                "Upgrade: websocket"
            })
    void hopByHopFieldsAreRemoved(String line) {
        assertThat(write("GET / HTTP/1.1\r\n" + line + "\r\nHost: a\r\n" + line + "\r\nX: y\r\n" + line + "\r\n\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n");
    }

    @Test
    void fieldsNamedByConnectionAreRemovedExceptFraming() {
        assertThat(write(head(
                        "PUT / HTTP/1.1",
                        "Host: a",
                        "Foo: 1",
                        "Connection: foo, host,content-length",
                        "Bar: 2",
                        "Content-Length: 5",
                        "connection: BAR, x-forwarded-for, via, expect, trailer",
                        "X-Forwarded-For: b",
                        "Via: c",
                        "Expect: 100-continue",
                        "Trailer: t",
                        "baz: 3")))
                .isEqualTo(head(
                        "PUT / HTTP/1.1",
                        "Host: a",
                        "Content-Length: 5",
                        "X-Forwarded-For: b",
                        "Via: c",
                        "Expect: 100-continue",
                        "Trailer: t",
                        "baz: 3"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length:\\t5\\t | Content-Length:5",
                "Content-Length: 5 \\t | Content-Length: 5",
                "content-length:  0005 | content-length: 5",
                "Content-Length: 000 | Content-Length: 0",
                "Transfer-Encoding: chunked\\t | Transfer-Encoding: chunked",
                "Transfer-Encoding: \\tCHUNKED | Transfer-Encoding: chunked",
                "Trailer: \\tX | Trailer: X",
                "Expect:100-continue\\t | Expect:100-continue"
            })
    void framingFieldsAreCanonical(String line, String written) {
        assertThat(write("PUT / HTTP/1.1\r\nHost:\ta \r\n" + line.replace("\\t", "\t") + "\r\nX:\t0 \r\n\r\n"))
                .isEqualTo("PUT / HTTP/1.1\r\nHost:a\r\n" + written + "\r\nX:\t0 \r\n\r\n");
    }

    @Test
    void onlyTrailersOfTeIsKept() {
        assertThat(write("GET / HTTP/1.1\r\nTE: trailers\r\nHost: a\r\nTE: gzip\r\n\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nTE: trailers\r\nHost: a\r\nConnection: TE\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "GET http://b:80/c?d HTTP/1.1, GET /c?d HTTP/1.1, b:80",
        "GET http://b HTTP/1.1, GET / HTTP/1.1, b",
        "GET HTTP://b?d HTTP/1.1, GET /?d HTTP/1.1, b",
        "OPTIONS http://b HTTP/1.1, OPTIONS * HTTP/1.1, b",
        "OPTIONS http://b?d HTTP/1.1, OPTIONS /?d HTTP/1.1, b"
    })
    void absoluteTargetBecomesPathAndHost(String line, String expectedLine, String expectedHost) {
        assertThat(write(line + "\r\nHost: a\r\nX: y\r\n\r\n"))
                .isEqualTo(expectedLine + "\r\nX: y\r\nHost: " + expectedHost + "\r\n\r\n");
    }

    @Test
    void http10BecomesHttp11WithHost() {
        assertThat(write("GET / HTTP/1.0\r\nX: y\r\n\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nX: y\r\nHost: " + BACKEND + "\r\n\r\n");
        assertThat(write("GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    @Test
    void rewritesConfiguredHost() {
        String head = "GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n";

        assertThat(write(head, Forwarding.OFF, new HostHeader.OfBackend(), "192.0.2.1"))
                .isEqualTo("GET / HTTP/1.1\r\nX: y\r\nHost: " + BACKEND + "\r\n\r\n");
        assertThat(write(head, Forwarding.OFF, new HostHeader.Fixed("c.example"), "192.0.2.1"))
                .isEqualTo("GET / HTTP/1.1\r\nX: y\r\nHost: c.example\r\n\r\n");
    }

    @Test
    void rulesRemoveAndAppendLines() {
        HeaderChanges changes = new HeaderChanges(
                List.of(new HeaderField("X-Set", HeaderValue.parse("a $host b"))),
                List.of(new HeaderField("X-Add", HeaderValue.parse("$request_id"))),
                List.of("accept", "X-Gone"));
        RouteHeaderEdits edits =
                RouteHeaderEdits.compile(List.of(new HeaderRules(changes, HeaderChanges.NONE)), new HostHeader.Keep());

        assertThat(write(
                        head(
                                "GET / HTTP/1.1",
                                "x-set: theirs",
                                "Host: a",
                                "Accept: */*",
                                "X-Add: theirs",
                                "X-Set: again",
                                "x-gone: 1",
                                "X-Gone-Not: 2"),
                        Forwarding.OFF,
                        edits,
                        "192.0.2.1"))
                .isEqualTo(head(
                        "GET / HTTP/1.1",
                        "Host: a",
                        "X-Add: theirs",
                        "X-Gone-Not: 2",
                        "X-Set: a <host> b",
                        "X-Add: <request_id>"));
    }

    @Test
    void ruleNamesMatchHyphensAndUnderscores() {
        HeaderChanges changes = new HeaderChanges(
                List.of(new HeaderField("X_Set_by-us", HeaderValue.parse("1"))),
                List.of(new HeaderField("X-Add", HeaderValue.parse("2"))),
                List.of("x-gone"));
        RouteHeaderEdits edits =
                RouteHeaderEdits.compile(List.of(new HeaderRules(changes, HeaderChanges.NONE)), new HostHeader.Keep());

        assertThat(write(
                        head(
                                "GET / HTTP/1.1",
                                "X-Set-By-Us: theirs",
                                "Host: a",
                                "X-Add: theirs",
                                "X_Add: twin",
                                "x_GONE: twin",
                                "X_Gone_Not: 3",
                                "XxGone: 4"),
                        Forwarding.OFF,
                        edits,
                        "192.0.2.1"))
                .isEqualTo(head(
                        "GET / HTTP/1.1",
                        "Host: a",
                        "X-Add: theirs",
                        "X_Gone_Not: 3",
                        "XxGone: 4",
                        "X_Set_by-us: 1",
                        "X-Add: 2"));
    }
}
