package io.ballast.policy.compress;

import io.ballast.http.head.ByteClasses;
import java.util.List;

/**
 * A set of media types, by exact name, by type, or by type and structured suffix (RFC 6838 section 4.2.8). Immutable.
 * Cost: a comparison for each entry; allocates nothing.
 */
final class MediaTypes {

    private static final String WILDCARD = "*";
    private static final byte[] GRPC = ByteClasses.ascii("application/grpc");

    private final byte[][] starts;
    private final byte[][] ends;
    private final boolean[] exact;

    /** @param patterns in lower case; see {@link io.ballast.policy.config.CompressionConfig#types} */
    MediaTypes(List<String> patterns) {
        starts = new byte[patterns.size()][];
        ends = new byte[patterns.size()][];
        exact = new boolean[patterns.size()];
        for (int i = 0; i < patterns.size(); i++) {
            String pattern = patterns.get(i);
            int wildcard = pattern.indexOf(WILDCARD);
            exact[i] = wildcard < 0;
            starts[i] = ByteClasses.ascii(exact[i] ? pattern : pattern.substring(0, wildcard));
            ends[i] = ByteClasses.ascii(exact[i] ? "" : pattern.substring(wildcard + 1));
        }
    }

    /**
     * Whether the value of a {@code Content-Type} header is in the set. gRPC never is, because it compresses its own
     * messages.
     */
    boolean contain(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != ';' && bytes[end] != ByteClasses.SPACE && bytes[end] != ByteClasses.TAB) {
            end++;
        }
        if (startsWith(bytes, from, end, GRPC)) {
            return false;
        }
        for (int i = 0; i < starts.length; i++) {
            boolean matches = exact[i]
                    ? ByteClasses.equalsIgnoreCase(bytes, from, end, starts[i])
                    : startsWith(bytes, from, end, starts[i])
                            && end - from > starts[i].length + ends[i].length
                            && ByteClasses.equalsIgnoreCase(bytes, end - ends[i].length, end, ends[i]);
            if (matches) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] bytes, int from, int to, byte[] start) {
        return to - from >= start.length && ByteClasses.equalsIgnoreCase(bytes, from, from + start.length, start);
    }
}
