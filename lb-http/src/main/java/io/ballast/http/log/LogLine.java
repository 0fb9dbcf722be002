package io.ballast.http.log;

import io.ballast.http.bytes.ByteAppender;

/** A buffer for log lines that are written together. Confined to the thread that writes the log. */
final class LogLine {

    private final ByteAppender bytes = new ByteAppender();

    /** The content, from offset 0 to {@link #length}. Valid until the next append. */
    byte[] bytes() {
        return bytes.bytes();
    }

    int length() {
        return bytes.length();
    }

    void clear() {
        bytes.clear();
    }

    /** Shortens the content to its first {@code remaining} bytes. */
    void truncate(int remaining) {
        bytes.truncate(remaining);
    }

    LogLine append(byte b) {
        bytes.append(b);
        return this;
    }

    LogLine append(byte[] source, int from, int count) {
        bytes.append(source, from, from + count);
        return this;
    }

    LogLine ascii(String text) {
        bytes.appendAscii(text);
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
