package io.ballast.policy.filter;

import io.ballast.filter.FilterHeader;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.ByteClasses;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads and removes lines of a buffer of complete header lines, each {@code Name: value} with its line end. */
final class HeaderLineEditor {

    private static final int LINE_END = 2;

    private HeaderLineEditor() {}

    /** Adds the lines to a list. */
    static void parse(ByteAppender source, List<FilterHeader> target) {
        byte[] bytes = source.bytes();
        int from = 0;
        while (from < source.length()) {
            int end = lineEnd(source, from);
            int colon = colon(bytes, from, end);
            String name = new String(bytes, from, colon - from, StandardCharsets.ISO_8859_1);
            int valueFrom = Math.min(colon + 1, end - LINE_END);
            String value =
                    new String(bytes, valueFrom, end - LINE_END - valueFrom, StandardCharsets.ISO_8859_1).strip();
            target.add(new FilterHeader(name, value));
            from = end;
        }
    }

    /**
     * Removes the lines with a name, ignoring case and the difference between {@code _} and {@code -}.
     *
     * @param name the name in lower case, with hyphens
     */
    static void remove(ByteAppender lines, byte[] name) {
        int from = 0;
        while (from < lines.length()) {
            int end = lineEnd(lines, from);
            int colon = colon(lines.bytes(), from, end);
            if (ByteClasses.equalsIgnoreUnderscores(lines.bytes(), from, colon, name)) {
                lines.delete(from, end);
            } else {
                from = end;
            }
        }
    }

    /** Appends a line. */
    static void append(ByteAppender lines, String name, String value) {
        lines.appendAscii(name);
        lines.appendAscii(": ");
        lines.appendAscii(value);
        lines.appendAscii("\r\n");
    }

    private static int lineEnd(ByteAppender lines, int from) {
        byte[] bytes = lines.bytes();
        int end = from;
        while (bytes[end] != ByteClasses.LF) {
            end++;
        }
        return end + 1;
    }

    private static int colon(byte[] bytes, int from, int end) {
        int colon = from;
        while (colon < end - LINE_END && bytes[colon] != ':') {
            colon++;
        }
        return colon;
    }
}
