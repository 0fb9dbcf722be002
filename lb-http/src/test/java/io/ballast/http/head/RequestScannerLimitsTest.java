package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h1.wire.Heads;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each limit is the longest accepted length, for whole heads and their prefixes. */
class RequestScannerLimitsTest {

    private static final HeadLimits LIMITS = new HeadLimits(64, 80, 256, 5);

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void acceptsHeadAtLimit(String what, String head) {
        assertThat(scan(head)).isEqualTo("COMPLETE");
        for (int limit = 0; limit < head.length(); limit++) {
            assertThat(scan(head.substring(0, limit))).as("%d bytes", limit).isEqualTo("INCOMPLETE");
        }
    }

    static Stream<Arguments> acceptsHeadAtLimit() {
        return Stream.of(
                Arguments.of("request line", line(64) + "Host: a\r\n\r\n"),
                Arguments.of("header", line(20) + "Host: a\r\n" + header(80) + "\r\n"),
                Arguments.of("headers", line(20) + "Host: a\r\n" + header(10).repeat(4) + "\r\n"),
                Arguments.of("head", line(50) + "Host: a\r\n" + header(78) + header(79) + header(30) + "\r\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void rejectsHeadBeyondLimit(HeadError expected, String head) {
        assertThat(scan(head)).isEqualTo("REJECTED " + expected);
        for (int limit = 0; limit < head.length(); limit++) {
            assertThat(scan(head.substring(0, limit))).isIn("INCOMPLETE", "REJECTED " + expected);
        }
    }

    static Stream<Arguments> rejectsHeadBeyondLimit() {
        return Stream.of(
                Arguments.of(HeadError.REQUEST_LINE_TOO_LONG, line(65) + "Host: a\r\n\r\n"),
                Arguments.of(HeadError.REQUEST_LINE_TOO_LONG, line(90) + "Host: a\r\n\r\n"),
                Arguments.of(HeadError.HEADER_TOO_LONG, line(20) + "Host: a\r\n" + header(81) + "\r\n"),
                Arguments.of(HeadError.HEADER_TOO_LONG, line(20) + "N".repeat(100) + ": v\r\nHost: a\r\n\r\n"),
                Arguments.of(
                        HeadError.TOO_MANY_HEADERS,
                        line(20) + "Host: a\r\n" + header(10).repeat(5) + "\r\n"),
                Arguments.of(
                        HeadError.HEAD_TOO_LONG,
                        line(50) + "Host: a\r\n" + header(78) + header(79) + header(31) + "\r\n"));
    }

    private static String scan(String head) {
        RequestScanner scanner = new RequestScanner();
        ScanResult result = scanner.scan(Heads.bytes(head), head.length(), LIMITS);
        return scanner.fault == null ? result.toString() : result + " " + scanner.fault;
    }

    /** A request line of this length, plus CRLF. */
    private static String line(int length) {
        return "GET /" + "p".repeat(length - "GET / HTTP/1.1".length()) + " HTTP/1.1\r\n";
    }

    /** A header of this length, plus CRLF. */
    private static String header(int length) {
        return "N: " + "v".repeat(length - 3) + "\r\n";
    }
}
