package io.ballast.http.bytes;

import java.util.Arrays;

/**
 * A growable byte buffer. Event-loop confined; allocates memory only when the content becomes longer than ever before,
 * or longer than ever since {@link #release}.
 */
public final class ByteAppender {

    /** Number of bytes after the end of the content that scanners may read; their values are undefined. */
    public static final int SLACK = 16;

    private static final int FIRST_BYTES = 64;
    private static final int RETAINED_BYTES = 2048;
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int UUID_CHARACTERS = 36;
    private static final int MAX_DECIMAL_DIGITS = 19;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    /**
     * Returns the content, from offset 0 to {@link #length}, followed by at least {@value #SLACK} bytes of
     * undefined value. Valid until the next change; must not be modified.
     */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    public void clear() {
        length = 0;
    }

    /** Shortens the content to its first {@code remaining} bytes. */
    public void truncate(int remaining) {
        length = remaining;
    }

    public void append(byte b) {
        reserve(1);
        bytes[length++] = b;
    }

    public void append(byte[] source) {
        append(source, 0, source.length);
    }

    /** Appends {@code source[from, to)}. */
    public void append(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    public void append(ByteAppender other) {
        append(other.bytes, 0, other.length);
    }

    /** Appends the lowest eight bits of each character. */
    public void appendAscii(String text) {
        int count = text.length();
        reserve(count);
        for (int i = 0; i < count; i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
    }

    /** Appends a non-negative number. */
    public void appendDecimal(long number) {
        reserve(MAX_DECIMAL_DIGITS);
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int i = length + digits - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    /** Appends a random UUID (RFC 9562 section 5.4) made of the bits of {@code high} and {@code low}. */
    public void appendUuid(long high, long low) {
        reserve(UUID_CHARACTERS);
        long first = (high & ~0xF000L) | 0x4000L;
        long second = (low & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        hex(first >>> 32, 8);
        bytes[length++] = '-';
        hex(first >>> 16, 4);
        bytes[length++] = '-';
        hex(first, 4);
        bytes[length++] = '-';
        hex(second >>> 48, 4);
        bytes[length++] = '-';
        hex(second, 12);
    }

    private void hex(long number, int digits) {
        writeHex(number, digits, bytes, length);
        length += digits;
    }

    /** Writes the lowest {@code digits} hexadecimal digits of a number to {@code target}, in lower case. */
    public static void writeHex(long number, int digits, byte[] target, int at) {
        for (int i = 0; i < digits; i++) {
            target[at + i] = HEX[(int) (number >>> (4 * (digits - 1 - i))) & 0xF];
        }
    }

    /** Replaces the content with that of another buffer. */
    public void copyFrom(ByteAppender other) {
        clear();
        append(other);
    }

    /** Deletes the bytes in {@code [from, to)}. */
    public void delete(int from, int to) {
        System.arraycopy(bytes, to, bytes, from, length - to);
        length -= to - from;
    }

    /** Clears the buffer, and frees its array if it is larger than most heads need. */
    public void release() {
        length = 0;
        if (bytes.length > RETAINED_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
    }

    private void reserve(int count) {
        if (bytes.length - length < count + SLACK) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count + SLACK));
        }
    }
}
