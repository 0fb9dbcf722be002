package io.ballast.http.log;

import io.ballast.http.octets.OctetBuffer;

/** Lines that are to be written together, in the notation of access logs. Confined to the writer. */
final class LogLine {

    private final OctetBuffer octets = new OctetBuffer();

    /** From offset 0 to {@link #length}. Valid until something is appended. */
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

    /** Appends a number with at least that many digits. */
    LogLine padded(long value, int digits) {
        String text = Long.toString(value);
        for (int i = text.length(); i < digits; i++) {
            append((byte) '0');
        }
        return ascii(text);
    }
}
