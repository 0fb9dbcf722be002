package io.ballast.http.head;

import java.nio.charset.StandardCharsets;

/** Character classes of HTTP/1.1 syntax, and case-insensitive comparisons. */
public final class ByteClasses {

    public static final byte CR = '\r';
    public static final byte LF = '\n';
    public static final byte SPACE = ' ';
    public static final byte TAB = '\t';

    private static final byte TOKEN = 1;
    private static final byte TARGET = 2;
    private static final byte HOST = 4;
    private static final byte HEX = 8;
    private static final byte TOKEN_BUT_UNDERSCORE = 16;

    private static final byte[] CLASSES = new byte[256];

    static {
        // the characters of a token (RFC 9110 section 5.6.2)
        String token = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        mark(TOKEN, token);
        mark(TOKEN_BUT_UNDERSCORE, token.replace("_", ""));
        // Visible ASCII without the fragment's '#' (RFC 9112 section 3.2)
        for (int c = 0x21; c < 0x7f; c++) {
            if (c != '#') {
                CLASSES[c] |= TARGET;
            }
        }
        // reg-name (RFC 3986 section 3.2.2) without the comma, which would look like a list of two hosts
        mark(HOST, "-._~!$&'()*+;=0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
        mark(HEX, "0123456789abcdefABCDEF");
    }

    private ByteClasses() {}

    private static void mark(byte kind, String characters) {
        for (byte c : characters.getBytes(StandardCharsets.US_ASCII)) {
            CLASSES[c] |= kind;
        }
    }

    public static boolean isToken(byte b) {
        return (CLASSES[b & 0xff] & TOKEN) != 0;
    }

    /**
     * Whether the byte is a token character other than the underscore. A scan of header names that uses this
     * class of bytes detects underscores at no extra cost.
     */
    static boolean isTokenButUnderscore(byte b) {
        return (CLASSES[b & 0xff] & TOKEN_BUT_UNDERSCORE) != 0;
    }

    public static boolean isTarget(byte b) {
        return (CLASSES[b & 0xff] & TARGET) != 0;
    }

    public static boolean isHost(byte b) {
        return (CLASSES[b & 0xff] & HOST) != 0;
    }

    /** The value of a hexadecimal digit, or -1. */
    public static int hexValue(byte b) {
        if ((CLASSES[b & 0xff] & HEX) == 0) {
            return -1;
        }
        return b <= '9' ? b - '0' : (b | 0x20) - 'a' + 10;
    }

    /** Returns letters in lower case and every other byte unchanged. */
    public static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    /** Whether {@code bytes[from, to)} equals {@code lowerCase}, ignoring case. */
    public static boolean equalsIgnoreCase(byte[] bytes, int from, int to, byte[] lowerCase) {
        if (to - from != lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            if (lower(bytes[from + i]) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the two ranges hold the same bytes, ignoring case. */
    public static boolean equalsIgnoreCase(byte[] bytes, int from, int to, byte[] other, int otherFrom, int otherTo) {
        if (to - from != otherTo - otherFrom) {
            return false;
        }
        for (int i = 0; i < to - from; i++) {
            if (lower(bytes[from + i]) != lower(other[otherFrom + i])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether {@code bytes[from, to)} equals {@code name}, ignoring case and treating {@code _} as a hyphen. The {@code
     * name} must be in lower case and must not contain underscores.
     */
    public static boolean equalsIgnoreUnderscores(byte[] bytes, int from, int to, byte[] name) {
        if (to - from != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            byte b = bytes[from + i];
            if ((b == '_' ? '-' : lower(b)) != name[i]) {
                return false;
            }
        }
        return true;
    }

    public static boolean contains(byte[] bytes, int from, int to, byte wanted) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == wanted) {
                return true;
            }
        }
        return false;
    }

    /** Whether the two ranges hold the same bytes, ignoring case. */
    static boolean sameIgnoreCase(byte[] bytes, int from, int to, int otherFrom, int otherTo) {
        if (to - from != otherTo - otherFrom) {
            return false;
        }
        for (int i = 0; i < to - from; i++) {
            if (lower(bytes[from + i]) != lower(bytes[otherFrom + i])) {
                return false;
            }
        }
        return true;
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
