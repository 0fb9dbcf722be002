package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadFault;
import io.ballast.http.head.Octets;
import java.util.Arrays;

/** Octets that come in pieces are judged as if they had come at once. */
public final class Splits {

    public static final String INCOMPLETE = "incomplete";
    private static final String REJECTED = "rejected: ";

    private static final byte[] NOISE = Octets.ascii("\r\n\r\n \0:x");

    public interface Judge {

        /** What is said of {@code octets[0, limit)}; {@link #INCOMPLETE} if more is needed. */
        String judge(byte[] octets, int limit);
    }

    private Splits() {}

    /** The first {@code length} octets with slack behind them, in which a head seems to end. */
    public static byte[] slacked(byte[] octets, int length) {
        byte[] slacked = Arrays.copyOf(octets, length + FieldScanner.SLACK);
        System.arraycopy(NOISE, 0, slacked, length, FieldScanner.SLACK);
        return slacked;
    }

    public static String rejected(HeadFault fault) {
        return REJECTED + fault;
    }

    /**
     * Every beginning is incomplete, up to the first about which something is said; all longer ones get the same. Which
     * fault a line has that is both too long and malformed may depend on where it is cut.
     */
    public static void assertOneVerdict(byte[] input, Judge judge) {
        String verdict = INCOMPLETE;
        int step = Math.max(1, input.length / 256); // enough, and not slow for long ones
        for (int limit = 0; limit < input.length + step; limit += step) {
            int length = Math.min(limit, input.length);
            String longer = judge.judge(slacked(input, length), length);
            if (!agree(verdict, longer)) {
                assertThat(longer).as("of %d octets", length).isEqualTo(verdict);
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
