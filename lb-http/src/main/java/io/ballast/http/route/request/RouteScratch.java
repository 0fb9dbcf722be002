package io.ballast.http.route.request;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.regex.ByteText;
import java.util.random.RandomGenerator;

/**
 * The working memory of routing, one object per event loop. Holds the results for the request being routed. Event-loop
 * confined.
 */
public final class RouteScratch {

    private final PathNormalizer path = new PathNormalizer();
    private final ByteText text = new ByteText();
    private final RandomGenerator random;

    private final ByteAppender value = new ByteAppender();
    private final ByteAppender composed = new ByteAppender();

    /** @param random selects one of the pools if a route splits its requests among several pools */
    public RouteScratch(RandomGenerator random) {
        this.random = random;
    }

    /** Returns the normalizer, which holds the path that it normalized last. */
    public PathNormalizer path() {
        return path;
    }

    /** The reusable text object that presents a value to a regular expression. */
    public ByteText text() {
        return text;
    }

    /** The random generator that selects among the pools of a split. */
    public RandomGenerator random() {
        return random;
    }

    /** An empty buffer for composing a path or location. */
    public ByteAppender emptyBuffer() {
        composed.clear();
        return composed;
    }

    /** The end of the path, which is the position of the query's question mark if there is one. */
    public static int pathEnd(RoutedRequest request) {
        byte[] bytes = request.bytes();
        int position = request.pathStart();
        int to = request.pathEnd();
        while (position < to && bytes[position] != '?') {
            position++;
        }
        return position;
    }

    /** Decodes a name or value of a query; malformed escapes are kept as they are. */
    public ByteAppender decode(byte[] bytes, int from, int to) {
        value.clear();
        for (int i = from; i < to; i++) {
            int b = PathNormalizer.decodeEscape(bytes, i, to);
            if (b >= 0) {
                value.append((byte) b);
                i += 2;
            } else {
                value.append(bytes[i] == '+' ? (byte) ' ' : bytes[i]);
            }
        }
        return value;
    }

    /** Whether a name in a query decodes to {@code name}. */
    public boolean decodesTo(byte[] bytes, int from, int to, byte[] name) {
        if (to - from < name.length) {
            return false;
        }
        int matched = 0;
        for (int i = from; i < to; i++) {
            int b = PathNormalizer.decodeEscape(bytes, i, to);
            byte decoded = b >= 0 ? (byte) b : bytes[i] == '+' ? (byte) ' ' : bytes[i];
            if (matched == name.length || name[matched++] != decoded) {
                return false;
            }
            i += b >= 0 ? 2 : 0;
        }
        return matched == name.length;
    }
}
