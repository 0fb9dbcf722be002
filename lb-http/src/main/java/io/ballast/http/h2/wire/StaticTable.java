package io.ballast.http.h2.wire;

import io.ballast.http.head.ByteClasses;

/** The static table of HPACK (RFC 7541 appendix A). Indexes start at 1. */
final class StaticTable {

    static final int LENGTH = 61;

    private static final String[] ENTRIES = {
        ":authority", "",
        ":method", "GET",
        ":method", "POST",
        ":path", "/",
        ":path", "/index.html",
        ":scheme", "http",
        ":scheme", "https",
        ":status", "200",
        ":status", "204",
        ":status", "206",
        ":status", "304",
        ":status", "400",
        ":status", "404",
        ":status", "500",
        "accept-charset", "",
        "accept-encoding", "gzip, deflate",
        "accept-language", "",
        "accept-ranges", "",
        "accept", "",
        "access-control-allow-origin", "",
        "age", "",
        "allow", "",
        "authorization", "",
        "cache-control", "",
        "content-disposition", "",
        "content-encoding", "",
        "content-language", "",
        "content-length", "",
        "content-location", "",
        "content-range", "",
        "content-type", "",
        "cookie", "",
        "date", "",
        "etag", "",
        "expect", "",
        "expires", "",
        "from", "",
        "host", "",
        "if-match", "",
        "if-modified-since", "",
        "if-none-match", "",
        "if-range", "",
        "if-unmodified-since", "",
        "last-modified", "",
        "link", "",
        "location", "",
        "max-forwards", "",
        "proxy-authenticate", "",
        "proxy-authorization", "",
        "range", "",
        "referer", "",
        "refresh", "",
        "retry-after", "",
        "server", "",
        "set-cookie", "",
        "strict-transport-security", "",
        "transfer-encoding", "",
        "user-agent", "",
        "vary", "",
        "via", "",
        "www-authenticate", ""
    };

    private static final byte[][] NAMES = new byte[LENGTH + 1][];
    private static final byte[][] VALUES = new byte[LENGTH + 1][];

    /** A hash table from names to indexes, with {@link #hash} and linear probing; 0 marks a free slot. */
    private static final byte[] BY_HASH = new byte[256];

    static {
        for (int i = 1; i <= LENGTH; i++) {
            NAMES[i] = ByteClasses.ascii(ENTRIES[2 * i - 2]);
            VALUES[i] = ByteClasses.ascii(ENTRIES[2 * i - 1]);
        }
        for (int i = LENGTH; i >= 1; i--) {
            boolean first = i == 1 || !ENTRIES[2 * i - 2].equals(ENTRIES[2 * i - 4]);
            if (first) {
                int at = hash(NAMES[i], 0, NAMES[i].length);
                while (BY_HASH[at] != 0) {
                    at = (at + 1) & 0xff;
                }
                BY_HASH[at] = (byte) i;
            }
        }
    }

    private StaticTable() {}

    static byte[] name(int index) {
        return NAMES[index];
    }

    static byte[] value(int index) {
        return VALUES[index];
    }

    /** Returns the first entry with the name {@code bytes[from, to)}, ignoring case; 0 if there is none. */
    static int indexOf(byte[] bytes, int from, int to) {
        int at = hash(bytes, from, to);
        while (BY_HASH[at] != 0) {
            if (ByteClasses.equalsIgnoreCase(bytes, from, to, NAMES[BY_HASH[at]])) {
                return BY_HASH[at];
            }
            at = (at + 1) & 0xff;
        }
        return 0;
    }

    private static int hash(byte[] bytes, int from, int to) {
        if (from == to) {
            return 0;
        }
        int first = bytes[from] | 0x20;
        int last = bytes[to - 1] | 0x20;
        return ((to - from) * 7 + first * 31 + last * 17) & 0xff;
    }
}
