package io.ballast.http.route.request;

import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.route.regex.OctetText;
import java.util.random.RandomGenerator;

/**
 * What routing needs to work in, once for each event loop. Holds the results for the request that is being routed.
 * Event-loop confined.
 */
public final class RouteScratch {

    private final PathNormalizer path = new PathNormalizer();
    private final OctetText text = new OctetText();
    private final RandomGenerator random;

    private final OctetBuffer value = new OctetBuffer();
    private final OctetBuffer composed = new OctetBuffer();

    /** @param random draws among the pools of a split */
    public RouteScratch(RandomGenerator random) {
        this.random = random;
    }

    /** Holds the path that was normalised last. */
    public PathNormalizer path() {
        return path;
    }

    /** For values that a regular expression looks at. */
    public OctetText text() {
        return text;
    }

    /** Draws among the pools of a split. */
    public RandomGenerator random() {
        return random;
    }

    /** An empty buffer for a path or an address that is being composed. */
    public OctetBuffer compose() {
        composed.clear();
        return composed;
    }

    /** Where the path ends, and the query begins with its question mark if there is one. */
    public static int pathEnd(RoutedRequest request) {
        byte[] bytes = request.bytes();
        int position = request.pathStart();
        int to = request.pathEnd();
        while (position < to && bytes[position] != '?') {
            position++;
        }
        return position;
    }

    /** Decodes a name or value of a query, malformed escapes standing for themselves. */
    public OctetBuffer decode(byte[] bytes, int from, int to) {
        value.clear();
        for (int i = from; i < to; i++) {
            int octet = PathNormalizer.escaped(bytes, i, to);
            if (octet >= 0) {
                value.append((byte) octet);
                i += 2;
            } else {
                value.append(bytes[i] == '+' ? (byte) ' ' : bytes[i]);
            }
        }
        return value;
    }

    /** Whether a name of a query means {@code name}. */
    public boolean decodesTo(byte[] bytes, int from, int to, byte[] name) {
        if (to - from < name.length) {
            return false;
        }
        int matched = 0;
        for (int i = from; i < to; i++) {
            int octet = PathNormalizer.escaped(bytes, i, to);
            byte meant = octet >= 0 ? (byte) octet : bytes[i] == '+' ? (byte) ' ' : bytes[i];
            if (matched == name.length || name[matched++] != meant) {
                return false;
            }
            i += octet >= 0 ? 2 : 0;
        }
        return matched == name.length;
    }
}
