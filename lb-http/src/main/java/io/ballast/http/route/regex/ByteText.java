package io.ballast.http.route.regex;

import java.nio.charset.StandardCharsets;

/**
 * Presents a byte range to regular expressions as text; each byte is one character, 0 to 255. Event-loop
 * confined.
 */
public final class ByteText implements CharSequence {

    private byte[] bytes = new byte[0];
    private int from;
    private int length;

    /** Sets the range to {@code source[start, end)} and returns this object. */
    ByteText of(byte[] source, int start, int end) {
        bytes = source;
        from = start;
        length = end - start;
        return this;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public char charAt(int index) {
        return (char) (bytes[from + index] & 0xFF);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new String(bytes, from + start, end - start, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    }
}
