package io.ballast.http.log;

import java.util.Arrays;

/** Octets of lines that are to be written together. Confined to the writer. */
final class LogLine {

    private byte[] bytes = new byte[64 * 1024];
    private int length;

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    LogLine append(byte octet) {
        reserve(1);
        bytes[length++] = octet;
        return this;
    }

    LogLine append(byte[] source, int from, int count) {
        reserve(count);
        System.arraycopy(source, from, bytes, length, count);
        length += count;
        return this;
    }

    LogLine ascii(String text) {
        reserve(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
        return this;
    }

    LogLine number(long value) {
        return ascii(Long.toString(value));
    }

    /** Appends a number with at least that many digits. */
    LogLine padded(long value, int digits) {
        String text = Long.toString(value);
        for (int i = text.length(); i < digits; i++) {
            append((byte) '0');
        }
        return ascii(text);
    }

    private void reserve(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }
}
