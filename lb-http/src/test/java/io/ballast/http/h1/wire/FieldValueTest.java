package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the scanner, which handles eight bytes at a time, with a byte-by-byte reference. */
class FieldValueTest {

    private static final String START = "GET / HTTP/1.1\r\nHost: a\r\n";
    private static final int VALUES = 30_000;

    private final RequestScanner scanner = new RequestScanner();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void matchesReferenceAtEveryAlignment(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < VALUES; i++) {
            byte[] value = value(random);
            String name = "N".repeat(1 + random.nextInt(16));
            byte[] head = join(ascii(START + name + ":"), value, ascii("\r\n\r\n"), slack(random));
            int limit = head.length - FieldScanner.SLACK;

            ScanResult result = scanner.scan(head, limit, Heads.LIMITS);

            HeadError expected = fault(value);
            assertThat(scanner.fault)
                    .as("seed %d, value %s", seed, Arrays.toString(value))
                    .isEqualTo(expected);
            assertThat(result).isEqualTo(expected == null ? ScanResult.COMPLETE : ScanResult.REJECTED);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5})
    void ignoresBytesBeyondLimit(long seed) {
        Random random = new Random(seed);
        byte[] whole = ascii(START + "Name: some value\twith a tab and ~ ends\r\n\r\n");
        for (int limit = 0; limit < whole.length; limit++) {
            for (int i = 0; i < 50; i++) {
                byte[] part = join(Arrays.copyOf(whole, limit), slack(random));

                assertThat(scanner.scan(part, limit, Heads.LIMITS))
                        .as("seed %d, limit %d", seed, limit)
                        .isEqualTo(ScanResult.INCOMPLETE);
            }
        }
    }

    /** Returns the fault of a value that is followed by two line ends; null for none. */
    private static HeadError fault(byte[] value) {
        for (int i = 0; i < value.length; i++) {
            int b = value[i] & 0xff;
            if (b == '\n') {
                return HeadError.BARE_LINE_END;
            }
            if (b == '\r') {
                return HeadError.BARE_LINE_END; // values here contain no CRLF
            }
            if ((b < 0x20 && b != '\t') || b == 0x7f) {
                return HeadError.CONTROL_CHARACTER;
            }
        }
        return null;
    }

    /** Random valid bytes, mixed with boundary values of the character classes. */
    private static byte[] value(Random random) {
        int[] borders = {0, 1, 8, 9, 10, 13, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0x81, 0x9f, 0xa0, 0xff};
        byte[] value = new byte[random.nextInt(40)];
        int odds = 1 + random.nextInt(60);
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte)
                    (random.nextInt(odds) == 0 ? borders[random.nextInt(borders.length)] : 0x20 + random.nextInt(0x5f));
        }
        for (int i = 0; i + 1 < value.length; i++) {
            if (value[i] == '\r' && value[i + 1] == '\n') {
                value[i] = 'r';
            }
        }
        if (value.length > 0 && value[value.length - 1] == '\r') {
            value[value.length - 1] = 'r'; // a CR here would form a CRLF with the following line end
        }
        return value;
    }

    private static byte[] slack(Random random) {
        byte[] slack = new byte[FieldScanner.SLACK];
        random.nextBytes(slack);
        return slack;
    }

    private static byte[] ascii(String text) {
        return ByteClasses.ascii(text);
    }

    private static byte[] join(byte[]... parts) {
        byte[] whole =
                new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        return whole;
    }
}
