package io.ballast.policy.compress;

import io.ballast.http.head.ByteClasses;

/** Reads elements of comma-separated header values (RFC 9110 section 5.6.1). Stateless; allocates nothing. */
final class ListedTokens {

    private ListedTokens() {}

    /** The offset of the comma that ends the element at {@code from}; {@code limit} for the last element. */
    static int end(byte[] bytes, int from, int limit) {
        int at = from;
        while (at < limit && bytes[at] != ',') {
            at++;
        }
        return at;
    }

    static int skipBlanks(byte[] bytes, int from, int limit) {
        int at = from;
        while (at < limit && (bytes[at] == ByteClasses.SPACE || bytes[at] == ByteClasses.TAB)) {
            at++;
        }
        return at;
    }

    /** The end of the token at {@code from}. */
    static int nameEnd(byte[] bytes, int from, int limit) {
        int at = from;
        while (at < limit && ByteClasses.isToken(bytes[at])) {
            at++;
        }
        return at;
    }

    /** Whether an element of the list {@code bytes[from, limit)} begins with this token, in any case. */
    static boolean contains(byte[] bytes, int from, int limit, byte[] lowerCaseToken) {
        int at = from;
        while (at < limit) {
            int start = skipBlanks(bytes, at, limit);
            if (ByteClasses.equalsIgnoreCase(bytes, start, nameEnd(bytes, start, limit), lowerCaseToken)) {
                return true;
            }
            at = end(bytes, start, limit) + 1;
        }
        return false;
    }
}
