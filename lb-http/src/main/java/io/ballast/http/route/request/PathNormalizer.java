package io.ballast.http.route.request;

import io.ballast.core.Checks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Normalizes a path for comparison with routes, so that no spelling can bypass a route. The query is removed,
 * percent-encoded bytes are decoded except slashes and percent signs, empty segments are dropped, and dot segments are
 * resolved (RFC 3986 sections 5.2.4 and 6.2.2). The path sent to the backend is not changed.
 *
 * <p>In normal form, a percent sign always starts {@code %2F} or {@code %25}; a bare one becomes {@code %25}. An empty
 * path is {@code /} (RFC 3986 section 6.2.3).
 *
 * <p>Event-loop confined: holds the last result. A path already in normal form is not copied.
 */
public final class PathNormalizer {

    /**
     * The bit for {@code %2F} in bit masks of slash-like characters: in {@link #ambiguousSlashes}, and in the
     * set of characters that are read as a slash.
     */
    public static final int ENCODED_SLASH = 1;

    /** The bit for a backslash, whether it is sent plain or as {@code %5C}. */
    public static final int BACKSLASH = 1 << 1;

    private static final byte[] ROOT = {'/'};

    private byte[] own = new byte[1024];
    private byte[] bytes = own;
    private int from;
    private int to;
    private int ambiguousSlashes;

    public byte[] bytes() {
        return bytes;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /** The bit set of characters in the last normalized path that only some backends read as slashes. */
    public int ambiguousSlashes() {
        return ambiguousSlashes;
    }

    /**
     * Returns the normal form of a configured path, which must not contain empty or dot segments.
     *
     * @throws IllegalArgumentException if it has empty or dot segments, a query, or a bare percent sign
     */
    public static byte[] normalForm(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.US_ASCII);
        PathNormalizer normalizer = new PathNormalizer();
        int length = normalizer.decode(bytes, 0, bytes.length, /* slashes= */ 0);
        byte[] decoded = Arrays.copyOf(normalizer.own, length);
        byte[] resolved = Arrays.copyOf(normalizer.own, normalizer.resolve(length));
        boolean sound = path.startsWith("/") && path.indexOf('?') < 0 && !path.matches("(?s).*%(?![0-9A-Fa-f]{2}).*");
        Checks.that(
                sound && Arrays.equals(decoded, resolved),
                "path",
                path,
                "a path that starts with / and has no //, no . or .. segments, no query and no unencoded %");
        return resolved;
    }

    /** The byte encoded by the escape at {@code bytes[at]}, or -1 if there is no escape. */
    public static int decodeEscape(byte[] bytes, int at, int end) {
        return bytes[at] == '%' && at + 2 < end ? Math.max(-1, (hex(bytes[at + 1]) << 4) | hex(bytes[at + 2])) : -1;
    }

    /** Normalizes {@code source[start, end)}. */
    public void normalize(byte[] source, int start, int end) {
        normalize(source, start, end, /* slashes= */ 0);
    }

    /**
     * Normalizes {@code source[start, end)}.
     *
     * @param slashes the characters read as a slash: {@link #ENCODED_SLASH}, {@link #BACKSLASH}, both or neither
     */
    public void normalize(byte[] source, int start, int end, int slashes) {
        ambiguousSlashes = 0;
        int pathEnd = start;
        boolean plain = true;
        byte previous = 0;
        while (pathEnd < end && source[pathEnd] != '?') {
            byte b = source[pathEnd++];
            plain &= b != '%' && b != '\\' && !(previous == '/' && (b == '/' || b == '.'));
            previous = b;
        }
        if (pathEnd == start) {
            bytes = ROOT;
            from = 0;
            to = 1;
            return;
        }
        if (plain) {
            bytes = source;
            from = start;
            to = pathEnd;
            return;
        }
        from = 0;
        to = resolve(decode(source, start, pathEnd, slashes));
        bytes = own;
    }

    private int decode(byte[] source, int start, int end, int slashes) {
        if (own.length < 3 * (end - start)) {
            own = new byte[3 * (end - start)]; // worst case: every byte is a bare "%", which becomes "%25"
        }
        int length = 0;
        for (int i = start; i < end; i++) {
            int value = decodeEscape(source, i, end);
            byte b = value < 0 ? source[i] : (byte) value;
            int ambiguous = b == '\\' ? BACKSLASH : b == '/' && value >= 0 ? ENCODED_SLASH : 0;
            ambiguousSlashes |= ambiguous;
            if ((ambiguous & slashes) != 0) {
                own[length++] = '/';
            } else if (b == '%' || ambiguous == ENCODED_SLASH) {
                own[length++] = '%';
                own[length++] = '2';
                own[length++] = (byte) (b == '%' ? '5' : 'F');
            } else {
                own[length++] = b;
            }
            i += value < 0 ? 0 : 2;
        }
        return length;
    }

    /** Resolves dot segments and empty segments in place; returns the new length. */
    private int resolve(int length) {
        int written = 0;
        int position = 0;
        while (position < length) {
            int segment = position + (own[position] == '/' ? 1 : 0);
            int next = segment;
            while (next < length && own[next] != '/') {
                next++;
            }
            int size = next - segment;
            boolean last = next == length;
            if (size == 2 && own[segment] == '.' && own[segment + 1] == '.') {
                while (written > 0 && own[--written] != '/') {}
                written = last ? slash(written) : written;
            } else if ((size == 1 && own[segment] == '.') || size == 0) {
                written = last ? slash(written) : written;
            } else {
                own[written++] = '/';
                System.arraycopy(own, segment, own, written, size);
                written += size;
            }
            position = next;
        }
        return written == 0 ? slash(0) : written;
    }

    private int slash(int at) {
        own[at] = '/';
        return at + 1;
    }

    /**
     * The value of a hexadecimal digit; otherwise a negative number, which stays negative if it is shifted or combined
     * with OR.
     */
    private static int hex(byte b) {
        int value = Character.digit(b, 16);
        return value < 0 ? Integer.MIN_VALUE >> 4 : value;
    }
}
