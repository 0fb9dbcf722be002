package io.ballast.http.route.destination;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.PathRewrite;
import io.ballast.http.route.request.PathNormalizer;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;

/**
 * Replaces a prefix of a path. The rest of the path keeps the client's spelling if the client spelled the
 * prefix as configured and used no dot segments. Otherwise the original path does not show where the prefix
 * ends, so the rest is taken from the normalized path and encoded again. The result starts with a slash,
 * and with exactly one slash if the replacement is empty.
 *
 * <p>Immutable.
 */
public final class PathRewriter {

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final boolean[] PLAIN = new boolean[128];

    static {
        // pchar of RFC 3986 section 3.3, and the segment separator; in a normalized path every percent sign starts an
        // escape
        String plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/%";
        for (byte b : plain.getBytes(StandardCharsets.US_ASCII)) {
            PLAIN[b] = true;
        }
    }

    private final byte[] rawPrefix;
    private final byte[] normal;
    private final byte[] replacement;
    private final int slashes;

    private PathRewriter(String prefix, String replacement, int slashes) {
        this.slashes = slashes;
        this.rawPrefix = prefix.getBytes(StandardCharsets.US_ASCII);
        this.normal = prefix.isEmpty() ? rawPrefix : PathNormalizer.normalForm(prefix);
        this.replacement = replacement.getBytes(StandardCharsets.US_ASCII);
    }

    /** Compiles the rewrite of a route whose path is {@code match}; only {@code /} is read as a slash. */
    static PathRewriter of(PathRewrite rewrite, PathMatch match) {
        return of(rewrite, match, /* slashes= */ 0);
    }

    /**
     * Compiles the rewrite of a route whose path is {@code match}.
     *
     * @param slashes the characters that routes read as a slash, as bits of {@link PathNormalizer}
     */
    static PathRewriter of(PathRewrite rewrite, PathMatch match, int slashes) {
        if (rewrite instanceof PathRewrite.Strip strip) {
            return new PathRewriter(withoutFinalSlash(strip.prefix()), "", slashes);
        }
        String prefix = match instanceof PathMatch.Exact ? match.text() : withoutFinalSlash(match.text());
        return new PathRewriter(prefix, withoutFinalSlash(((PathRewrite.Replace) rewrite).prefix()), slashes);
    }

    /** The path without its final slash. */
    private static String withoutFinalSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Composes the rewritten path and query of a request; the result is valid until the scratch is used again. */
    public ByteAppender rewrite(RoutedRequest request, RouteScratch scratch) {
        ByteAppender target = scratch.emptyBuffer();
        int pathEnd = RouteScratch.pathEnd(request);
        append(request.bytes(), request.pathStart(), pathEnd, scratch, target);
        target.append(request.bytes(), pathEnd, request.pathEnd());
        return target;
    }

    /** Appends the rewritten form of the path {@code bytes[from, to)}. */
    void append(byte[] bytes, int from, int to, RouteScratch scratch, ByteAppender target) {
        if (to > from && bytes[from] != '/') {
            target.append(bytes, from, to); // the target of an OPTIONS request can be "*", which is not rewritten
            return;
        }
        int start = target.length();
        target.append(replacement);
        if (startsWithRawPrefix(bytes, from, to) && !hasDotSegment(bytes, from, to)) {
            int rest = from + rawPrefix.length;
            target.append(bytes, replacement.length == 0 ? oneSlash(bytes, rest, to) : rest, to);
        } else {
            PathNormalizer path = scratch.path();
            path.normalize(bytes, from, to, slashes);
            encode(path.bytes(), path.from() + normal.length, path.to(), target);
        }
        if (target.length() == start) {
            target.append((byte) '/');
        }
    }

    private boolean startsWithRawPrefix(byte[] bytes, int from, int to) {
        int end = from + rawPrefix.length;
        if (end > to || (end < to && bytes[end] != '/')) {
            return false;
        }
        for (int i = 0; i < rawPrefix.length; i++) {
            if (bytes[from + i] != rawPrefix[i]) {
                return false;
            }
        }
        return true;
    }

    /** The start of the range after skipping all but one of its leading slashes. */
    private static int oneSlash(byte[] bytes, int from, int to) {
        int start = from;
        while (start + 1 < to && bytes[start] == '/' && bytes[start + 1] == '/') {
            start++;
        }
        return start;
    }

    private static boolean hasDotSegment(byte[] bytes, int from, int to) {
        int dots = 0;
        boolean onlyDots = true;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '/') {
                if (onlyDots && (dots == 1 || dots == 2)) {
                    return true;
                }
                dots = 0;
                onlyDots = true;
            } else if (bytes[i] == '.') {
                dots++;
            } else if (PathNormalizer.decodeEscape(bytes, i, to) == '.') {
                dots++;
                i += 2;
            } else {
                onlyDots = false;
            }
        }
        return onlyDots && (dots == 1 || dots == 2);
    }

    private static void encode(byte[] bytes, int from, int to, ByteAppender target) {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b >= 0 && PLAIN[b]) {
                target.append(b);
            } else {
                target.append((byte) '%');
                target.append(HEX[b >> 4 & 0xF]);
                target.append(HEX[b & 0xF]);
            }
        }
    }
}
