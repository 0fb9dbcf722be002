package io.ballast.http.h1.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.ballast.http.config.Forwarding;
import io.ballast.http.h1.wire.Heads;
import io.ballast.http.h1.wire.SegmentedInput;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.route.request.NaivePath;
import io.ballast.http.route.request.PathNormalizer;
import java.nio.charset.StandardCharsets;

/** Fuzzes request targets with arbitrary bytes. */
class RequestTargetFuzzTest {

    private final RequestScanner scanner = new RequestScanner();
    private final PathNormalizer paths = new PathNormalizer();

    @FuzzTest
    void normalizesArbitraryTarget(byte[] input) {
        String target = new String(input, StandardCharsets.ISO_8859_1);
        for (String method : new String[] {"GET", "OPTIONS"}) {
            byte[] head =
                    (method + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
            ScanResult scan = scanner.scan(SegmentedInput.slacked(head, head.length), head.length, Heads.LIMITS);
            if (scan != ScanResult.COMPLETE) {
                assertThat(target).isNotEqualTo("/");
                continue;
            }
            assertThat(target).matches("[\\x21\\x22\\x24-\\x7e]+");
            assertThat(scanner.targetEnd).isEqualTo(method.length() + 1 + target.length());
            passesUnchanged(method, target);
            isComparedInItsSimplestForm(target);
        }
    }

    private void passesUnchanged(String method, String target) {
        String written = Rewriting.request(scanner, Forwarding.OFF);
        String line = written.substring(0, written.indexOf("\r\n"));
        if (target.startsWith("/") || target.equals("*")) {
            assertThat(line).isEqualTo(method + " " + target + " HTTP/1.1");
            return;
        }
        String authority = Heads.text(scanner, scanner.authorityStart, scanner.authorityEnd);
        assertThat(authority).matches("(\\[[0-9A-Fa-f:.]+]|[^\\[\\]@/?#:,]+)(:[0-9]{0,5})?");
        assertThat(written).contains("\r\nHost: " + authority + "\r\n");
        String path = target.substring("http://".length() + authority.length());
        assertThat(line).startsWith(method + " ").endsWith(path + " HTTP/1.1");
    }

    private void isComparedInItsSimplestForm(String target) {
        String path = Heads.text(scanner, scanner.pathStart, scanner.pathEnd);

        String simplest = normalize(path);

        assertThat(simplest).as(target).isEqualTo(NaivePath.normalize(path));
        if (path.startsWith("/")) {
            assertThat(simplest).startsWith("/").doesNotContain("//");
            assertThat((simplest + "/").split("/")).doesNotContain(".", "..");
            if (path.indexOf('%') < 0) {
                assertThat(normalize(spelledOut(path))).as(target).isEqualTo(simplest);
            }
        }
    }

    /** Percent-encodes every byte except slashes, which does not change the path. */
    private static String spelledOut(String path) {
        StringBuilder spelled = new StringBuilder();
        for (int i = 0; i < path.length() && path.charAt(i) != '?'; i++) {
            char b = path.charAt(i);
            spelled.append(b == '/' ? "/" : String.format("%%%02x", (int) b));
        }
        return spelled.toString();
    }

    private String normalize(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
        paths.normalize(bytes, 0, bytes.length);
        return new String(paths.bytes(), paths.from(), paths.to() - paths.from(), StandardCharsets.ISO_8859_1);
    }
}
