package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.ballast.http.config.Forwarding;
import io.ballast.http.h1.wire.Heads;
import io.ballast.http.h1.wire.NettyParseResult;
import io.ballast.http.h1.wire.SegmentedInput;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import java.nio.charset.StandardCharsets;

/** Fuzzes request heads with arbitrary bytes. */
class RequestHeadFuzzTest {

    private static final HeadLimits TIGHT = new HeadLimits(40, 50, 150, 4);

    private final RequestScanner scanner = new RequestScanner();
    private final RequestScanner again = new RequestScanner();

    @FuzzTest
    void parsesArbitraryHead(byte[] input) {
        SegmentedInput.assertOneVerdict(input, (bytes, limit) -> verdict(scanner, bytes, limit, TIGHT));
        SegmentedInput.assertOneVerdict(input, (bytes, limit) -> verdict(scanner, bytes, limit, Heads.LIMITS));
        if (scan(scanner, input) == ScanResult.COMPLETE) {
            passedOnAsItIs();
            passedOnAsSoundToOthers(Forwarding.OVERWRITE);
            passedOnAsSoundToOthers(Forwarding.APPEND);
        }
    }

    /**
     * Asserts that the forwarded head has the same meaning, and that another Ballast process would forward it
     * unchanged.
     */
    private void passedOnAsItIs() {
        String written = Rewriting.request(scanner, Forwarding.OFF);

        assertThat(scan(again, written.getBytes(StandardCharsets.ISO_8859_1))).isEqualTo(ScanResult.COMPLETE);
        assertThat(again.end).as(written).isEqualTo(written.length());
        assertThat(meaning(again)).as(written).isEqualTo(meaning(scanner));
        assertThat(Rewriting.request(again, Forwarding.OFF)).isEqualTo(written);
    }

    /** Asserts that another strict parser finds the same request in the forwarded head. */
    private void passedOnAsSoundToOthers(Forwarding forwarding) {
        String written = Rewriting.request(scanner, forwarding);

        NettyParseResult reading = NettyParseResult.ofRequest(written);

        assertThat(reading.fault()).as(written).isNull();
        String line = written.substring(0, written.indexOf("\r\n"));
        assertThat(reading.startLine()).isEqualTo(line);
        String length = reading.values("Content-Length");
        assertThat(length.isEmpty() ? FieldScanner.NO_LENGTH : Long.parseLong(length))
                .as(written)
                .isEqualTo(scanner.contentLength);
        assertThat(reading.values("Transfer-Encoding").isEmpty()).as(written).isEqualTo(!scanner.chunked);
        assertThat(reading.values("Host")).as(written).doesNotContain("\n").isNotEmpty();
        for (String removed : new String[] {"Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Upgrade"}) {
            assertThat(reading.values(removed)).as(written).isEmpty();
        }
    }

    private static String meaning(RequestScanner request) {
        boolean emptyPath = request.pathStart == request.pathEnd;
        String path = Heads.text(request, request.pathStart, request.pathEnd);
        return Heads.text(request, 0, request.methodEnd)
                + (emptyPath
                        ? request.method == RequestMethod.OPTIONS ? "*" : "/"
                        : path.startsWith("?") ? "/" + path : path)
                + ' '
                + Heads.text(request, request.authorityStart, request.authorityEnd)
                        .replaceFirst("^$", Rewriting.BACKEND)
                + ' '
                + request.framing()
                + request.contentLength;
    }

    private static ScanResult scan(RequestScanner scanner, byte[] head) {
        return scanner.scan(SegmentedInput.slacked(head, head.length), head.length, Heads.LIMITS);
    }

    private static String verdict(RequestScanner scanner, byte[] bytes, int limit, HeadLimits limits) {
        return switch (scanner.scan(bytes, limit, limits)) {
            case INCOMPLETE -> SegmentedInput.INCOMPLETE;
            case REJECTED -> SegmentedInput.rejected(requireNonNull(scanner.fault));
            case COMPLETE -> Heads.found(scanner);
        };
    }
}
