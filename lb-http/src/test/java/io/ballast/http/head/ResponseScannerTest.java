package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h1.wire.Heads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseScannerTest {

    private static final String[] GOOD = {
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.0 404 Not Found\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 100 \r\n\r\n",
        "HTTP/1.1 599 \u00e4\tb\r\nTransfer-Encoding: chunked\r\nServer: x\r\n\r\n",
        "HTTP/1.1 204\r\nX: y\r\n\r\n",
    };

    @Test
    void onlyWholeHeadIsComplete() {
        ResponseScanner scanner = new ResponseScanner();
        for (String head : GOOD) {
            for (int limit = 0; limit < head.length(); limit++) {
                assertThat(scanner.scan(Heads.bytes(head.substring(0, limit)), limit, Heads.RESPONSE_LIMITS))
                        .as("%d bytes of %s", limit, head)
                        .isEqualTo(ScanResult.INCOMPLETE);
            }
            assertThat(scanner.scan(Heads.bytes(head), head.length(), Heads.RESPONSE_LIMITS))
                    .isEqualTo(ScanResult.COMPLETE);
            assertThat(scanner.end).isEqualTo(head.length());
            assertThat(scanner.status()).isEqualTo(Integer.parseInt(head.substring(9, 12)));
        }
    }

    @Test
    void lengthWithChunkedIsRejectedOnlyWithBody() {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n";
        ResponseScanner scanner = new ResponseScanner();

        assertThat(scanner.scan(Heads.bytes(head), head.length(), Heads.RESPONSE_LIMITS))
                .isEqualTo(ScanResult.COMPLETE);
        assertThat(scanner.isAmbiguous(scanner.framing(/* toHeadRequest= */ false)))
                .isTrue();
        assertThat(scanner.isAmbiguous(scanner.framing(/* toHeadRequest= */ true)))
                .isFalse();
    }

    /** Scans segments, so that white space and colon are split. */
    @Test
    void spacesBeforeColonAreIgnored() {
        String head = "HTTP/1.1 999 No\r\nContent-Length \t: 7\r\nX: y\r\n\r\n";
        ResponseScanner scanner = new ResponseScanner();
        for (int length = 0; length < head.length(); length++) {
            assertThat(scanner.scan(Heads.bytes(head.substring(0, length)), length, Heads.RESPONSE_LIMITS))
                    .isEqualTo(ScanResult.INCOMPLETE);
        }

        assertThat(scanner.scan(Heads.bytes(head), head.length(), Heads.RESPONSE_LIMITS))
                .isEqualTo(ScanResult.COMPLETE);
        assertThat(scanner.status()).isEqualTo(999);
        assertThat(scanner.contentLength).isEqualTo(7);
        assertThat(scanner.colon(0) - scanner.nameEnd[0]).isEqualTo(2);
        assertThat(scanner.colon(1) - scanner.nameEnd[1]).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "junk\r\n\r\n",
                "http/1.1 200 OK\r\n\r\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "HTTP/1.2 200 OK\r\n\r\n",
                "HTTP/1.1  200 OK\r\n\r\n",
                "HTTP/1.1\t200 OK\r\n\r\n",
                "HTTP/1.1 2x0 OK\r\n\r\n",
                "HTTP/1.1 099 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 200OK\r\n\r\n",
                "HTTP/1.1 200 O\u0001K\r\n\r\n",
                "HTTP/1.1 200 OK\n\r\n",
                "HTTP/1.1 200 OK\rX: y\r\n\r\n",
                "HTTP/1.1 200 OK\r\n X: y\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: y\r\n z\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX y\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX \r\n\r\n",
                "HTTP/1.1 200 OK\r\n : y\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX y: z\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            })
    void rejectsMalformedHead(String head) {
        assertThat(new ResponseScanner().scan(Heads.bytes(head), head.length(), Heads.RESPONSE_LIMITS))
                .isEqualTo(ScanResult.REJECTED);
    }

    @Test
    void statusLineIsBounded() {
        String head = "HTTP/1.1 200 " + "x".repeat(9_000) + "\r\n\r\n";
        ResponseScanner scanner = new ResponseScanner();

        assertThat(scanner.scan(Heads.bytes(head), head.length(), Heads.RESPONSE_LIMITS))
                .isEqualTo(ScanResult.REJECTED);
        assertThat(scanner.scan(Heads.bytes(head), head.length() - 10, Heads.RESPONSE_LIMITS))
                .isEqualTo(ScanResult.REJECTED);
    }

    @ParameterizedTest
    @CsvSource({
        "1.1, X: y, true",
        "1.1, Connection: close, false",
        "1.0, X: y, false",
        "1.0, Connection: keep-alive, true",
        "1.0, 'Connection: keep-alive, close', false"
    })
    void connectionIsKeptAsTheBackendAgrees(String version, String line, boolean expected) {
        assertThat(Heads.response("HTTP/" + version + " 200 OK\r\n" + line + "\r\n\r\n")
                        .keepsAlive())
                .isEqualTo(expected);
    }
}
