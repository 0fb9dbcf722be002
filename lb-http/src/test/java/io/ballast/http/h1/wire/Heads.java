package io.ballast.http.h1.wire;

import io.ballast.core.config.ResponseLimits;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.net.config.ClientLimits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Prepares heads as bytes for scanning. */
public final class Heads {

    public static final HeadLimits LIMITS = HeadLimits.of(ClientLimits.DEFAULT);

    public static final HeadLimits RESPONSE_LIMITS = HeadLimits.of(ResponseLimits.DEFAULT);

    private Heads() {}

    /** Returns the bytes of {@code text} (ISO 8859-1), followed by slack that looks like the end of a head. */
    public static byte[] bytes(String text) {
        byte[] bytes = Arrays.copyOf(text.getBytes(StandardCharsets.ISO_8859_1), text.length() + FieldScanner.SLACK);
        Arrays.fill(bytes, text.length(), bytes.length, (byte) '\n');
        return bytes;
    }

    public static RequestScanner request(String head) {
        RequestScanner scanner = new RequestScanner();
        scanner.scan(bytes(head), head.length(), LIMITS);
        return scanner;
    }

    public static ResponseScanner response(String head) {
        ResponseScanner scanner = new ResponseScanner();
        scanner.scan(bytes(head), head.length(), RESPONSE_LIMITS);
        return scanner;
    }

    /** Whether a {@code Connection} header contains {@code close}. */
    public static boolean containsClose(FieldScanner scanner) {
        return scanner.connectionClose;
    }

    /** Returns the text in {@code [from, to)}. */
    public static String text(FieldScanner scanner, int from, int to) {
        return new String(scanner.bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** Returns all results of a request scan, for comparison. */
    public static String found(RequestScanner scanner) {
        StringBuilder found = new StringBuilder()
                .append(scanner.method)
                .append(' ')
                .append(text(scanner, scanner.pathStart, scanner.pathEnd))
                .append(' ')
                .append(text(scanner, scanner.authorityStart, scanner.authorityEnd))
                .append(' ')
                .append(scanner.minorVersion)
                .append(' ')
                .append(scanner.framing())
                .append(' ')
                .append(scanner.contentLength)
                .append(scanner.wantsKeepAlive() ? " keep-alive" : " close")
                .append(' ')
                .append(scanner.end);
        return found.append(fields(scanner)).toString();
    }

    /** Returns all fields of a scan. */
    public static String fields(FieldScanner scanner) {
        StringBuilder found = new StringBuilder();
        for (int i = 0; i < scanner.count; i++) {
            found.append('\n')
                    .append(scanner.names[i])
                    .append(' ')
                    .append(text(scanner, scanner.lineStart[i], scanner.nameEnd[i]))
                    .append('=')
                    .append(text(scanner, scanner.valueStart[i], scanner.valueEnd[i]));
        }
        return found.toString();
    }
}
