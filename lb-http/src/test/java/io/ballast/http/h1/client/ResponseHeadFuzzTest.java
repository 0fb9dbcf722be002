package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.ballast.http.h1.client.ResponseHeadWriter.ClientConnectionHeader;
import io.ballast.http.h1.wire.Heads;
import io.ballast.http.h1.wire.NettyParseResult;
import io.ballast.http.h1.wire.SegmentedInput;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import java.nio.charset.StandardCharsets;

/** Fuzzes response heads with arbitrary bytes. */
class ResponseHeadFuzzTest {

    private static final HeadLimits TIGHT = new HeadLimits(40, 50, 150, 4);

    private final ResponseScanner scanner = new ResponseScanner();
    private final ResponseScanner again = new ResponseScanner();

    @FuzzTest
    void parsesArbitraryHead(byte[] input) {
        SegmentedInput.assertOneVerdict(input, (bytes, limit) -> verdict(bytes, limit, TIGHT));
        SegmentedInput.assertOneVerdict(input, (bytes, limit) -> verdict(bytes, limit, Heads.RESPONSE_LIMITS));
        if (scan(scanner, input) == ScanResult.COMPLETE) {
            for (ClientConnectionHeader connection : ClientConnectionHeader.values()) {
                passedOnAsItIs(input, connection);
            }
        }
    }

    private void passedOnAsItIs(byte[] input, ClientConnectionHeader connection) {
        scan(scanner, input);
        String written = Rewriting.response(scanner, connection);
        boolean mayBeFramed = scanner.status >= 200 && scanner.status != 204;

        assertThat(scan(again, written.getBytes(StandardCharsets.ISO_8859_1))).isEqualTo(ScanResult.COMPLETE);
        assertThat(again.end).as(written).isEqualTo(written.length());
        assertThat(again.status).as(written).isEqualTo(scanner.status);
        assertThat(again.chunked).as(written).isEqualTo(mayBeFramed && scanner.chunked);
        assertThat(again.contentLength)
                .as(written)
                .isEqualTo(mayBeFramed ? scanner.contentLength : FieldScanner.NO_LENGTH);
        assertThat(Heads.containsClose(again)).as(written).isEqualTo(connection == ClientConnectionHeader.CLOSE);
        assertThat(Rewriting.response(again, connection)).isEqualTo(written);

        NettyParseResult reading = NettyParseResult.ofResponse(written);
        assertThat(reading.fault()).as(written).isNull();
        assertThat(reading.startLine()).startsWith("HTTP/1.1 " + scanner.status);
        if (scanner.status != 304) { // for 304, Netty drops the framing
            assertThat(reading.values("Transfer-Encoding").isEmpty())
                    .as(written)
                    .isEqualTo(!again.chunked);
        }
    }

    private static ScanResult scan(ResponseScanner scanner, byte[] head) {
        return scanner.scan(SegmentedInput.slacked(head, head.length), head.length, Heads.RESPONSE_LIMITS);
    }

    private String verdict(byte[] bytes, int limit, HeadLimits limits) {
        return switch (scanner.scan(bytes, limit, limits)) {
            case INCOMPLETE -> SegmentedInput.INCOMPLETE;
            case REJECTED -> SegmentedInput.rejected(requireNonNull(scanner.fault));
            case COMPLETE ->
                scanner.status + " " + scanner.contentLength + scanner.chunked + scanner.end + Heads.fields(scanner);
        };
    }
}
