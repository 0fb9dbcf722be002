package io.ballast.http.h2.wire;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldOutput;

/** Encodes HTTP/1.1 header lines as fields of another HTTP version. Stateless. */
public final class HeaderLinesEncoder {

    private HeaderLinesEncoder() {}

    /** Appends the fields in {@code lines[from, to)}, each {@code name: value} followed by CRLF. */
    public static void encode(byte[] lines, int from, int to, FieldOutput target) {
        int at = from;
        while (at < to && lines[at] != ByteClasses.CR) {
            int colon = at;
            while (lines[colon] != ':') {
                colon++;
            }
            int end = colon;
            while (end < to && lines[end] != ByteClasses.CR) {
                end++;
            }
            int value = colon + 1;
            while (value < end && (lines[value] == ' ' || lines[value] == '\t')) {
                value++;
            }
            int valueEnd = end;
            while (valueEnd > value && (lines[valueEnd - 1] == ' ' || lines[valueEnd - 1] == '\t')) {
                valueEnd--;
            }
            target.field(lines, at, colon, lines, value, valueEnd);
            at = end + 2;
        }
    }
}
