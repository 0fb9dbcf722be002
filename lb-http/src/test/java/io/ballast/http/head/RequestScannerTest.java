package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h1.wire.Heads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestScannerTest {

    private static final String[] GOOD = {
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a/b;c?d=e&f=%2F HTTP/1.1\r\nHost: example.com:8080\r\nAccept: */*\r\nX:\r\nY: \t z \t\r\n\r\n",
        "POST / HTTP/1.1\r\nhost: [::1]:80\r\nCONTENT-LENGTH: 0012\r\nCookie: \u00e4\u00f6=\u00fc\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\nConnection: x, keep-alive , Y\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://b.example/c?d HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET HTTP://b.example?d HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "!#$%&'*+-.^_`|~ / HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~: b\r\n\r\n",
    };

    @Test
    void onlyWholeHeadIsComplete() {
        RequestScanner scanner = new RequestScanner();
        for (String head : GOOD) {
            for (int limit = 0; limit < head.length(); limit++) {
                assertThat(scanner.scan(Heads.bytes(head.substring(0, limit)), limit, Heads.LIMITS))
                        .as("%d bytes of %s", limit, head)
                        .isEqualTo(ScanResult.INCOMPLETE);
            }
            assertThat(scanner.scan(Heads.bytes(head), head.length(), Heads.LIMITS))
                    .as(head)
                    .isEqualTo(ScanResult.COMPLETE);
            assertThat(scanner.end).isEqualTo(head.length());
        }
    }

    @Test
    void ignoresBytesAfterHead() {
        for (String head : GOOD) {
            assertThat(Heads.found(Heads.request(head + "\0\r\n junk"))).isEqualTo(Heads.found(Heads.request(head)));
        }
    }

    @Test
    void stateIsResetForEachHead() {
        RequestScanner used = new RequestScanner();
        for (String before : GOOD) {
            for (String head : GOOD) {
                used.scan(Heads.bytes(before), before.length(), Heads.LIMITS);
                used.scan(Heads.bytes(head), head.length(), Heads.LIMITS);

                assertThat(Heads.found(used)).isEqualTo(Heads.found(Heads.request(head)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/p?q, a:80, /p?q, a:80, a",
        "/p, a:65535, /p, a:65535, a",
        "http://b:8080/p, a, /p, b:8080, b",
        "http://b, a, '', b, b",
        "http://b?q, a, ?q, b, b",
        "/, [::1]:80, /, [::1]:80, [::1]",
        "/, [::1], /, [::1], [::1]",
        "/, a:, /, a:, a",
        "/, 10.0.0.1, /, 10.0.0.1, 10.0.0.1"
    })
    void findsPathAndAuthority(String target, String host, String path, String authority, String hostName) {
        RequestScanner scanner = Heads.request("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");

        assertThat(Heads.text(scanner, scanner.pathStart, scanner.pathEnd)).isEqualTo(path);
        assertThat(Heads.text(scanner, scanner.authorityStart, scanner.authorityEnd))
                .isEqualTo(authority);
        assertThat(Heads.text(scanner, scanner.authorityStart, scanner.hostEnd()))
                .isEqualTo(hostName);
    }

    @ParameterizedTest
    @CsvSource({
        "1.1, X: y, true",
        "1.1, Connection: close, false",
        "1.1, 'Connection: x,CLOSE', false",
        "1.1, 'Connection: keep-alive, close', false",
        "1.0, X: y, false",
        "1.0, Connection: Keep-Alive, true",
        "1.0, 'Connection: close, keep-alive', false"
    })
    void connectionIsKeptAsTheClientWants(String version, String line, boolean expected) {
        RequestScanner scanner = Heads.request("GET / HTTP/" + version + "\r\nHost: a\r\n" + line + "\r\n\r\n");

        assertThat(scanner.wantsKeepAlive()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "X: y, NONE",
        "Content-Length: 0, NONE",
        "Content-Length: 7, LENGTH",
        "Transfer-Encoding: chunked, CHUNKED"
    })
    void bodyIsFramedByLengthOrChunks(String line, BodyFraming expected) {
        assertThat(Heads.request("GET / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n")
                        .framing())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Foo", "fOO", "BAR"})
    void connectionOptionsIgnoreCase(String name) {
        RequestScanner scanner =
                Heads.request("GET / HTTP/1.1\r\nHost: a\r\nConnection: x,foo, ,bar\r\n" + name + ": 1\r\n\r\n");

        assertThat(scanner.hasConnectionOptions).isTrue();
        assertThat(scanner.isConnectionOption(2)).isTrue();
        assertThat(scanner.isConnectionOption(0)).isFalse();
    }
}
