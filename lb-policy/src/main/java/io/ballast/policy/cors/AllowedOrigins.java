package io.ballast.policy.cors;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A set of origins. Browsers send origins in lower case, and compare them by their bytes
 * (<a href="https://fetch.spec.whatwg.org/#cors-check">CORS check</a>), so other spellings do not match. Immutable.
 * Cost: one comparison for each entry; allocates nothing.
 */
final class AllowedOrigins {

    private static final String WILDCARD = "*.";

    private final byte[][] exact;
    /** The parts of {@code https://*.example:8443} before and after the asterisk. */
    private final byte[][] prefixes;

    private final byte[][] suffixes;

    /** @param origins origins, and wildcards such as {@code https://*.example} */
    AllowedOrigins(List<String> origins) {
        List<String> wildcards =
                origins.stream().filter(origin -> origin.contains(WILDCARD)).toList();
        this.exact = bytes(
                origins.stream().filter(origin -> !origin.contains(WILDCARD)).toList());
        this.prefixes = bytes(wildcards.stream()
                .map(origin -> origin.substring(0, origin.indexOf('*')))
                .toList());
        this.suffixes = bytes(wildcards.stream()
                .map(origin -> origin.substring(origin.indexOf('*') + 1))
                .toList());
    }

    private static byte[][] bytes(List<String> texts) {
        return texts.stream()
                .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }

    /** Whether the set contains the origin in {@code bytes[from, to)}. */
    boolean contains(byte[] bytes, int from, int to) {
        for (byte[] origin : exact) {
            if (Arrays.equals(bytes, from, to, origin, 0, origin.length)) {
                return true;
            }
        }
        for (int i = 0; i < prefixes.length; i++) {
            if (isSubdomain(bytes, from, to, prefixes[i], suffixes[i])) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSubdomain(byte[] bytes, int from, int to, byte[] prefix, byte[] suffix) {
        int start = from + prefix.length;
        int end = to - suffix.length;
        return start < end
                && Arrays.equals(bytes, from, start, prefix, 0, prefix.length)
                && Arrays.equals(bytes, end, to, suffix, 0, suffix.length)
                && isHostName(bytes, start, end);
    }

    /** Whether the range consists of labels of a host name, so that it contains no port, user or path. */
    private static boolean isHostName(byte[] bytes, int from, int to) {
        byte before = '.';
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            boolean isLabel = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_';
            if (!isLabel && (b != '.' || before == '.')) {
                return false;
            }
            before = b;
        }
        return before != '.';
    }
}
