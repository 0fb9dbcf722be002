package io.ballast.http.log;

/** Validates and decodes UTF-8 sequences (Unicode 15, table 3-7; RFC 3629 section 4). */
final class Utf8 {

    private Utf8() {}

    /** The length in bytes of the well-formed sequence at {@code at}; 0 if there is none. */
    static int sequence(byte[] bytes, int at, int end) {
        int first = bytes[at] & 0xFF;
        if (first < 0x80) {
            return 1;
        }
        int length = first >= 0xC2 && first <= 0xDF
                ? 2
                : first >= 0xE0 && first <= 0xEF ? 3 : first >= 0xF0 && first <= 0xF4 ? 4 : 0;
        if (length == 0 || at + length > end) {
            return 0;
        }
        int second = bytes[at + 1] & 0xFF;
        boolean good = second >= lowestSecond(first) && second <= highestSecond(first);
        for (int i = 2; i < length; i++) {
            good &= (bytes[at + i] & 0xC0) == 0x80;
        }
        return good ? length : 0;
    }

    /** The character of a well-formed sequence of two or three bytes. */
    static int character(byte[] bytes, int at, int length) {
        return length == 2
                ? (bytes[at] & 0x1F) << 6 | (bytes[at + 1] & 0x3F)
                : (bytes[at] & 0x0F) << 12 | (bytes[at + 1] & 0x3F) << 6 | (bytes[at + 2] & 0x3F);
    }

    /** The lowest valid second byte after {@code first}. The bound excludes overlong forms. */
    private static int lowestSecond(int first) {
        return first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    }

    /**
     * The highest valid second byte after {@code first}. The bound excludes surrogates and values beyond
     * U+10FFFF.
     */
    private static int highestSecond(int first) {
        return first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    }
}
