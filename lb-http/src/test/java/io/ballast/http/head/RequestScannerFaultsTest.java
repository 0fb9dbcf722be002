package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h1.wire.Heads;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests requests that RFC 9112 requires to be rejected, with the reported fault. */
class RequestScannerFaultsTest {

    private static final String LINE = "POST / HTTP/1.1\r\n";
    private static final String HOST = LINE + "Host: a\r\n";

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource
    void rejectsFaultyHead(HeadError expected, String head) {
        RequestScanner scanner = new RequestScanner();

        ScanResult result = scanner.scan(Heads.bytes(head), head.length(), Heads.LIMITS);

        assertThat(result).isEqualTo(ScanResult.REJECTED);
        assertThat(scanner.fault).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("rejectsFaultyHead")
    void faultyHeadIsNeverComplete(HeadError expected, String head) {
        RequestScanner scanner = new RequestScanner();
        for (int limit = 0; limit < head.length(); limit++) {
            assertThat(scanner.scan(Heads.bytes(head.substring(0, limit)), limit, Heads.LIMITS))
                    .isNotEqualTo(ScanResult.COMPLETE);
        }
    }

    static Stream<Arguments> rejectsFaultyHead() {
        return Stream.of(requestLines(), lines(), hosts(), framing()).flatMap(each -> each);
    }

    private static Stream<Arguments> requestLines() {
        return Stream.of(
                bad(HeadError.MALFORMED_REQUEST_LINE, " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "G(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET /\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET / http/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET / HTTP/1,1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET / HTTP/1.x\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET / HTTP/1.11\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET /\u00e4 HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.BARE_LINE_END, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
                bad(HeadError.BARE_LINE_END, "GET / HTTP/1.1\r\rHost: a\r\n\r\n"),
                bad(HeadError.UNSUPPORTED_VERSION, "GET / HTTP/2.0\r\n\r\n"),
                bad(HeadError.UNSUPPORTED_VERSION, "GET / HTTP/1.2\r\nHost: a\r\n\r\n"),
                bad(HeadError.UNSUPPORTED_VERSION, "GET / HTTP/3.0\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET / HTTP/11.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET / HTTP/1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_REQUEST_LINE, "GET /\u007f HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.UNSUPPORTED_VERSION, "GET / HTTP/0.9\r\nHost: a\r\n\r\n"),
                bad(HeadError.UNSUPPORTED_METHOD, "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET http:// HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET http://u:p@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET http://[::1/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET http://a%/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET http://a/#b HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET http://a:65536/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET http://a:b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_TARGET, "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    private static Stream<Arguments> lines() {
        return Stream.of(
                bad(HeadError.MALFORMED_HEADER, HOST + "A : b\r\n\r\n"),
                bad(HeadError.MALFORMED_HEADER, HOST + "A\t: b\r\n\r\n"),
                bad(HeadError.MALFORMED_HEADER, HOST + "A b\r\n\r\n"),
                bad(HeadError.MALFORMED_HEADER, HOST + ": b\r\n\r\n"),
                bad(HeadError.MALFORMED_HEADER, HOST + "A\0: b\r\n\r\n"),
                bad(HeadError.MALFORMED_HEADER, HOST + "\u00c4: b\r\n\r\n"),
                bad(HeadError.MALFORMED_HEADER, HOST + "Connection: a b;c\r\n\r\n"),
                bad(HeadError.FOLDED_HEADER, HOST + "A: b\r\n c\r\n\r\n"),
                bad(HeadError.FOLDED_HEADER, HOST + "A: b\r\n\tc\r\n\r\n"),
                bad(HeadError.FOLDED_HEADER, LINE + " Host: a\r\n\r\n"),
                bad(HeadError.BARE_LINE_END, HOST + "A: b\n\r\n"),
                bad(HeadError.BARE_LINE_END, HOST + "A: b\rC: d\r\n\r\n"),
                bad(HeadError.MISSING_COLON, HOST + "A\r\n\r\n"),
                bad(HeadError.BARE_LINE_END, HOST + "A\r: b\r\n\r\n"),
                bad(HeadError.BARE_LINE_END, HOST + "A\n\r\n"),
                bad(HeadError.BARE_LINE_END, HOST + "A: b\r\n\n"),
                bad(HeadError.BARE_LINE_END, HOST + "A: b\r\n\r\r\n"),
                bad(HeadError.CONTROL_CHARACTER, HOST + "A: b\0c\r\n\r\n"),
                bad(HeadError.CONTROL_CHARACTER, HOST + "A: b\u0001\r\n\r\n"),
                bad(HeadError.CONTROL_CHARACTER, HOST + "A: \u000bb\r\n\r\n"),
                bad(HeadError.CONTROL_CHARACTER, HOST + "A: b\u007f\r\n\r\n"));
    }

    private static Stream<Arguments> hosts() {
        return Stream.of(
                bad(HeadError.MISSING_HOST, LINE + "\r\n"),
                bad(HeadError.MISSING_HOST, "GET http://a/ HTTP/1.1\r\n\r\n"),
                bad(HeadError.DUPLICATE_HOST, HOST + "Host: a\r\n\r\n"),
                bad(HeadError.DUPLICATE_HOST, HOST + "hOST: b\r\n\r\n"),
                bad(HeadError.DUPLICATE_HOST, "GET http://a/ HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host:\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a b\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a,b\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: u@a\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a/b\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a\"b\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: :80\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a:80x\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a:1:2\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a:123456\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a:65536\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: [::1]:99999\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: [::1\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: [::1]x\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: [::1]]\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: []\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: [a]\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: [::g]\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: [v1.::a]\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: [fe80::1%25e]\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a]\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a%\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a%4\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a%4:80\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: a%zz\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, LINE + "Host: \u00e4\r\n\r\n"),
                bad(HeadError.MALFORMED_HOST, "GET http://a/ HTTP/1.1\r\nHost: b c\r\n\r\n"));
    }

    private static Stream<Arguments> framing() {
        return Stream.of(
                bad(HeadError.LENGTH_AND_TRANSFER_ENCODING, framed("Content-Length: 5", "Transfer-Encoding: chunked")),
                bad(HeadError.LENGTH_AND_TRANSFER_ENCODING, framed("Transfer-Encoding: chunked", "Content-Length: 0")),
                bad(HeadError.DUPLICATE_CONTENT_LENGTH, framed("Content-Length: 5", "Content-Length: 6")),
                bad(HeadError.DUPLICATE_CONTENT_LENGTH, framed("Content-Length: 5", "content-length: 5")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length: 5, 6")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length: 5,5")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length: +5")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length: -5")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length: 0x5")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length: 5 5")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length: 5.0")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length:")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length: 99999999999999999999")),
                bad(HeadError.MALFORMED_CONTENT_LENGTH, framed("Content-Length: \u0665")),
                bad(HeadError.MALFORMED_TRANSFER_ENCODING, framed("Transfer-Encoding:")),
                bad(HeadError.MALFORMED_TRANSFER_ENCODING, framed("Transfer-Encoding: chunked, chunked")),
                bad(HeadError.MALFORMED_TRANSFER_ENCODING, framed("Transfer-Encoding: chunked, gzip")),
                bad(HeadError.MALFORMED_TRANSFER_ENCODING, framed("Transfer-Encoding: chunked;q=1")),
                bad(HeadError.MALFORMED_TRANSFER_ENCODING, framed("Transfer-Encoding: chunked,")),
                bad(
                        HeadError.MALFORMED_TRANSFER_ENCODING,
                        framed("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")),
                bad(
                        HeadError.MALFORMED_TRANSFER_ENCODING,
                        framed("Transfer-Encoding: chunked", "Transfer-Encoding: identity")),
                bad(HeadError.UNKNOWN_TRANSFER_ENCODING, framed("Transfer-Encoding: gzip")),
                bad(HeadError.UNKNOWN_TRANSFER_ENCODING, framed("Transfer-Encoding: gzip, chunked")),
                bad(HeadError.UNKNOWN_TRANSFER_ENCODING, framed("Transfer-Encoding: identity")),
                bad(HeadError.UNKNOWN_TRANSFER_ENCODING, framed("Transfer-Encoding: xchunked")),
                bad(HeadError.UNKNOWN_TRANSFER_ENCODING, framed("Transfer-Encoding: chunke\u00e4")),
                bad(HeadError.TRANSFER_ENCODING_IN_HTTP_1_0, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"));
    }

    private static String framed(String... lines) {
        return HOST + String.join("\r\n", lines) + "\r\n\r\n";
    }

    private static Arguments bad(HeadError expected, String head) {
        return Arguments.of(expected, head);
    }
}
