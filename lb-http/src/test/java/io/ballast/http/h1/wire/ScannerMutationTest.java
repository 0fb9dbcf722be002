package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scans heads with bytes changed, removed, duplicated or inserted. Scanning must never throw or read beyond the slack,
 * where the array ends. Heads accepted as complete must match a simple reference.
 */
class ScannerMutationTest {

    private static final int ROUNDS = 40_000;
    private static final String FRAMED =
            "Content-Length: 12\r\nTransfer-Encoding: chunked\r\nConnection: close, x\r\nX: y\r\nTE: trailers\r\n\r\n";
    private static final String REQUEST = "POST /a?b HTTP/1.1\r\nHost: a.b:80\r\n" + FRAMED;
    private static final String RESPONSE = "HTTP/1.1 200 OK\r\n" + FRAMED;
    private static final String INTERESTING = "\r\n\t :,;\0\u007f\u0080\u00ff/@#[]?0159+-xXcC";

    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    void acceptsOnlyValidMutatedRequests(long seed) {
        Random random = new Random(seed);
        RequestScanner scanner = new RequestScanner();
        for (int i = 0; i < ROUNDS; i++) {
            byte[] head = mutate(random, random.nextBoolean() ? REQUEST : without(random, REQUEST));

            ScanResult result = scanner.scan(slacked(head), head.length, Heads.LIMITS);

            if (result == ScanResult.COMPLETE) {
                assertSound(scanner, head, seed, /* isResponse= */ false);
                assertThat(scanner.minorVersion == 0 || scanner.hostLine >= 0).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22})
    void acceptsOnlyValidMutatedResponses(long seed) {
        Random random = new Random(seed);
        ResponseScanner scanner = new ResponseScanner();
        for (int i = 0; i < ROUNDS; i++) {
            byte[] head = mutate(random, random.nextBoolean() ? RESPONSE : without(random, RESPONSE));

            ScanResult result = scanner.scan(slacked(head), head.length, Heads.RESPONSE_LIMITS);

            if (result == ScanResult.COMPLETE) {
                assertSound(scanner, head, seed, /* isResponse= */ true);
                assertThat(scanner.status).isBetween(100, 999);
            }
        }
    }

    /**
     * A response may have white space before a colon. It may also have both kinds of framing; then the transfer
     * coding takes precedence (RFC 9112 section 6.3).
     */
    private static void assertSound(FieldScanner scanner, byte[] head, long seed, boolean isResponse) {
        String text = new String(head, 0, scanner.end, StandardCharsets.ISO_8859_1);
        assertThat(text).as("seed %d", seed).matches("(?s)([^\r\n\0\u007f]+\r\n)+\r\n");
        assertThat(text.substring(text.indexOf("\r\n") + 2))
                .matches(isResponse ? "([^ \t:\r\n]+[ \t]*:[^\r\n]*\r\n)*\r\n" : "([^ \t:\r\n]+:[^\r\n]*\r\n)*\r\n");
        assertThat(text.split("\r\n")).hasSize(1 + scanner.count);
        assertThat(!isResponse && scanner.chunked && scanner.contentLength >= 0).isFalse();
        assertThat(text.toLowerCase(Locale.ROOT).split("\r\ncontent-length[ \t]*:").length - 1)
                .isEqualTo(scanner.contentLength >= 0 ? 1 : 0);
    }

    private static String without(Random random, String head) {
        return random.nextBoolean()
                ? head.replace("Content-Length: 12\r\n", "")
                : head.replace("Transfer-Encoding: chunked\r\n", "");
    }

    private static byte[] mutate(Random random, String head) {
        StringBuilder text = new StringBuilder(head);
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(text.length());
            char any = INTERESTING.charAt(random.nextInt(INTERESTING.length()));
            switch (random.nextInt(4)) {
                case 0 -> text.setCharAt(at, any);
                case 1 -> text.insert(at, any);
                case 2 -> text.deleteCharAt(at);
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(30))));
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] slacked(byte[] head) {
        return Arrays.copyOf(head, head.length + FieldScanner.SLACK);
    }
}
