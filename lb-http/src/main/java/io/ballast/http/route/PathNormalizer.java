package io.ballast.http.route;

/**
 * Brings a path into the form in which routes compare it, so that no spelling gets around a route: without query,
 * percent-encoded octets decoded except {@code %2F}, empty segments dropped, dot segments resolved (RFC 3986 sections
 * 5.2.4 and 6.2.2). What is sent to the backend is never touched.
 *
 * <p>Event-loop confined: it holds the last result. A path that is already in this form is not copied.
 */
public final class PathNormalizer {

    private byte[] own = new byte[1024];
    private byte[] bytes = own;
    private int from;
    private int to;

    public byte[] bytes() {
        return bytes;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /** Normalises {@code source[start, end)}. */
    public void normalize(byte[] source, int start, int end) {
        int pathEnd = start;
        boolean plain = true;
        byte previous = 0;
        while (pathEnd < end && source[pathEnd] != '?') {
            byte octet = source[pathEnd++];
            plain &= octet != '%' && !(previous == '/' && (octet == '/' || octet == '.'));
            previous = octet;
        }
        if (plain) {
            bytes = source;
            from = start;
            to = pathEnd;
            return;
        }
        if (own.length < pathEnd - start) {
            own = new byte[pathEnd - start];
        }
        bytes = own;
        from = 0;
        to = resolve(decode(source, start, pathEnd));
    }

    private int decode(byte[] source, int start, int end) {
        int length = 0;
        for (int i = start; i < end; i++) {
            int value = source[i] == '%' && i + 2 < end ? (hex(source[i + 1]) << 4) | hex(source[i + 2]) : -1;
            if (value >= 0 && value != '/') {
                own[length++] = (byte) value;
                i += 2;
            } else {
                own[length++] = source[i];
            }
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

    /** The value of a hexadecimal digit; a negative number that stays negative when shifted or or-ed if it is none. */
    private static int hex(byte octet) {
        int value = Character.digit(octet, 16);
        return value < 0 ? Integer.MIN_VALUE >> 4 : value;
    }
}
