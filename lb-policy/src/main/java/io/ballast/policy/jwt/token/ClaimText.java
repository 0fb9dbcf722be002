package io.ballast.policy.jwt.token;

/**
 * Encodes the value of a claim as printable ASCII: control characters, characters outside of ASCII, percent signs and
 * surrounding spaces become {@code %XX} for each byte of their UTF-8 form (RFC 3986 section 2.1). Therefore a claim
 * cannot add a header line, and two different values have different texts.
 */
final class ClaimText {

    private static final int ONE_BYTE = 0x80;
    private static final int TWO_BYTES = 0x800;
    private static final int THREE_BYTES = 0x10000;

    private ClaimText() {}

    /** Encodes a value. */
    static String encode(String value) {
        return encode(value, /* isItem= */ false);
    }

    /** Encodes an item of a list, in which commas separate the items. */
    static String encodeItem(String value) {
        return encode(value, /* isItem= */ true);
    }

    private static String encode(String value, boolean isItem) {
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
            int character = value.codePointAt(i);
            boolean isOuterSpace = character == ' ' && (i == 0 || i == value.length() - 1);
            boolean isPlain = character >= ' ' && character <= '~' && character != '%' && !isOuterSpace;
            if (isPlain && !(isItem && character == ',')) {
                text.append((char) character);
            } else {
                appendUtf8(character, text);
            }
        }
        return text.toString();
    }

    /** Appends the UTF-8 bytes of a character; half of a surrogate pair is encoded in the same way. */
    private static void appendUtf8(int character, StringBuilder text) {
        if (character < ONE_BYTE) {
            append(character, text);
        } else if (character < TWO_BYTES) {
            append(0xC0 | (character >> 6), text);
            append(continuation(character), text);
        } else if (character < THREE_BYTES) {
            append(0xE0 | (character >> 12), text);
            append(continuation(character >> 6), text);
            append(continuation(character), text);
        } else {
            append(0xF0 | (character >> 18), text);
            append(continuation(character >> 12), text);
            append(continuation(character >> 6), text);
            append(continuation(character), text);
        }
    }

    private static int continuation(int bits) {
        return 0x80 | (bits & 0x3F);
    }

    private static void append(int unit, StringBuilder text) {
        text.append('%')
                .append(Character.toUpperCase(Character.forDigit(unit >> 4, 16)))
                .append(Character.toUpperCase(Character.forDigit(unit & 0xF, 16)));
    }
}
