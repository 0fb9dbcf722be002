package io.ballast.http.files;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request as the name of a file, relative to the root.
 *
 * @param name segments separated by slashes, without a leading and a final slash; empty for the root. It has no empty
 *     and no dot segments.
 * @param isDirectory whether the path ends with a slash
 */
record FilePath(String name, boolean isDirectory) {

    private static final String WELL_KNOWN = ".well-known";

    /**
     * Decodes a path in the normal form of {@link io.ballast.http.route.request.PathNormalizer}, which has no empty and
     * no dot segments. A percent sign starts {@code %25} or {@code %2F}.
     *
     * @return null if no file can have this name, because it contains an encoded slash, a backslash, a control
     *     character or invalid UTF-8, or a segment that starts with a dot (except {@code .well-known})
     */
    static @Nullable FilePath of(byte[] bytes, int from, int to) {
        byte[] decoded = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b == '%') {
                if (bytes[i + 2] != '5') {
                    return null;
                }
                i += 2;
            } else if (b == '\\' || (b >= 0 && b < ' ') || b == 0x7f) {
                return null;
            }
            decoded[length++] = b;
        }
        if (length == 0 || decoded[0] != '/') {
            return null; // no leading slash; for example, the target of an OPTIONS request can be "*"
        }
        boolean isDirectory = decoded[length - 1] == '/';
        int end = isDirectory ? Math.max(1, length - 1) : length;
        String name = decode(decoded, end);
        return name == null || hasHiddenSegment(name) ? null : new FilePath(name, isDirectory);
    }

    private static @Nullable String decode(byte[] bytes, int end) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 1, end - 1))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Hidden files often contain secrets, such as {@code .env} and {@code .git/config}. */
    private static boolean hasHiddenSegment(String name) {
        int start = 0;
        while (start <= name.length()) {
            int slash = name.indexOf('/', start);
            int end = slash < 0 ? name.length() : slash;
            if (name.startsWith(".", start) && !name.substring(start, end).equals(WELL_KNOWN)) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    /** The last segment. */
    String lastSegment() {
        return name.substring(name.lastIndexOf('/') + 1);
    }
}
