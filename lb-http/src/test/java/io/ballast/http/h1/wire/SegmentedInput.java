package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadError;
import java.util.Arrays;

/** Asserts that segmented input gives the same result as whole input. */
public final class SegmentedInput {

    public static final String INCOMPLETE = "incomplete";
    private static final String REJECTED = "rejected: ";

    private static final byte[] NOISE = ByteClasses.ascii("\r\n\r\n \0:x");

    public interface Parser {

        /** Returns the result for {@code bytes[0, limit)}; {@link #INCOMPLETE} if more is needed. */
        String parse(byte[] bytes, int limit);
    }

    private SegmentedInput() {}

    /** Returns the first {@code length} bytes, followed by slack that looks like the end of a head. */
    public static byte[] slacked(byte[] bytes, int length) {
        byte[] slacked = Arrays.copyOf(bytes, length + FieldScanner.SLACK);
        System.arraycopy(NOISE, 0, slacked, length, FieldScanner.SLACK);
        return slacked;
    }

    public static String rejected(HeadError fault) {
        return REJECTED + fault;
    }

    /**
     * Asserts that prefixes are incomplete up to the first result, and that all longer prefixes give the same result. A
     * line that is both too long and malformed may give either fault.
     */
    public static void assertOneVerdict(byte[] input, Parser parser) {
        String verdict = INCOMPLETE;
        int step = Math.max(1, input.length / 256); // 256 steps are enough, and fast for long inputs
        for (int limit = 0; limit < input.length + step; limit += step) {
            int length = Math.min(limit, input.length);
            String longer = parser.parse(slacked(input, length), length);
            if (!agree(verdict, longer)) {
                assertThat(longer).as("for %d bytes", length).isEqualTo(verdict);
            }
            verdict = longer;
        }
    }

    private static boolean agree(String before, String longer) {
        boolean bothRejected = before.startsWith(REJECTED) && longer.startsWith(REJECTED);
        return before.equals(INCOMPLETE)
                || before.equals(longer)
                || (bothRejected && (before + longer).contains("TOO_"));
    }
}
