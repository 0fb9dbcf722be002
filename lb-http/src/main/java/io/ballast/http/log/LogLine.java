package io.ballast.http.log;

import io.ballast.http.octets.ByteAppender;

/** A buffer for log lines that are written together. Confined to the writer. */
final class LogLine {

    private final ByteAppender octets = new ByteAppender();

    /** The content, from offset 0 to {@link #length}. Valid until the next append. */
    byte[] bytes() {
        return octets.bytes();
    }

    int length() {
        return octets.length();
    }

    void clear() {
        octets.clear();
    }

    LogLine append(byte octet) {
        octets.append(octet);
        return this;
    }

    LogLine append(byte[] source, int from, int count) {
        octets.append(source, from, from + count);
        return this;
    }

    LogLine ascii(String text) {
        octets.appendAscii(text);
        return this;
    }

    LogLine number(long value) {
        return ascii(Long.toString(value));
    }

    /** Appends a number, padded with zeros to at least {@code digits} digits. */
    LogLine padded(long value, int digits) {
        String text = Long.toString(value);
        for (int i = text.length(); i < digits; i++) {
            append((byte) '0');
        }
        return ascii(text);
    }
}
