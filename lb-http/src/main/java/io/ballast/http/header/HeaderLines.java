package io.ballast.http.header;

import java.util.Arrays;

/** Octets that grow as header lines are put together. Event-loop confined; allocates only to become larger than ever. */
public final class HeaderLines {

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int UUID_CHARACTERS = 36;
    private static final int MOST_DECIMAL_DIGITS = 19;

    private byte[] bytes = new byte[256];
    private int length;

    /** What was appended so far, from offset 0. Valid until more is appended; not to be written to. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    public void clear() {
        length = 0;
    }

    public void append(byte[] source) {
        append(source, 0, source.length);
    }

    public void append(byte[] source, int from, int count) {
        reserve(count);
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    /** Appends a number that is not negative. */
    public void appendDecimal(long number) {
        reserve(MOST_DECIMAL_DIGITS);
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

    /** Appends a random UUID (RFC 9562 section 5.4) made of these bits. */
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

    private void reserve(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
    }
}
