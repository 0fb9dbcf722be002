package io.ballast.http.serving;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.header.CompiledHeaderChanges;
import org.jspecify.annotations.Nullable;

/**
 * Adds header lines to a response that has no line of the same name. Stateless. Cost: compares the name of each added
 * line with all names of the response; allocates nothing.
 */
public final class DefaultHeaderLines {

    private DefaultHeaderLines() {}

    /**
     * Appends the missing lines to the lines that are added to a backend's response.
     *
     * @param defaults complete lines; null for none
     * @param edits the changes to the response; a line that they remove counts as missing
     */
    public static void append(
            @Nullable ByteAppender defaults,
            ResponseScanner response,
            CompiledHeaderChanges edits,
            ByteAppender lines) {
        if (defaults != null) {
            add(defaults, response, edits, lines);
        }
    }

    /** Appends the missing lines to the header lines of a response that the balancer generates. */
    static void append(@Nullable ByteAppender defaults, ByteAppender lines) {
        if (defaults != null) {
            add(defaults, /* response= */ null, CompiledHeaderChanges.NONE, lines);
        }
    }

    private static void add(
            ByteAppender defaults,
            @Nullable ResponseScanner response,
            CompiledHeaderChanges edits,
            ByteAppender lines) {
        byte[] bytes = defaults.bytes();
        int end;
        for (int start = 0; start < defaults.length(); start = end) {
            int nameEnd = after(bytes, start, (byte) ':') - 1;
            end = after(bytes, nameEnd, ByteClasses.LF);
            boolean isPresent = (response != null && keeps(response, edits, bytes, start, nameEnd))
                    || contains(lines, bytes, start, nameEnd);
            if (!isPresent) {
                lines.append(bytes, start, end);
            }
        }
    }

    /** Returns the offset after the next occurrence of a byte, which must exist. */
    private static int after(byte[] bytes, int from, byte wanted) {
        int at = from;
        while (bytes[at] != wanted) {
            at++;
        }
        return at + 1;
    }

    private static boolean keeps(ResponseScanner response, CompiledHeaderChanges edits, byte[] name, int from, int to) {
        for (int i = 0; i < response.count; i++) {
            int start = response.lineStart[i];
            int nameEnd = response.nameEnd[i];
            if (ByteClasses.equalsIgnoreCase(response.bytes, start, nameEnd, name, from, to)
                    && !edits.removes(response.bytes, start, nameEnd)) {
                return true;
            }
        }
        return false;
    }

    private static boolean contains(ByteAppender lines, byte[] name, int from, int to) {
        byte[] bytes = lines.bytes();
        for (int start = 0; start < lines.length(); start = after(bytes, start, ByteClasses.LF)) {
            int nameEnd = start + to - from;
            if (nameEnd < lines.length()
                    && bytes[nameEnd] == ':'
                    && ByteClasses.equalsIgnoreCase(bytes, start, nameEnd, name, from, to)) {
                return true;
            }
        }
        return false;
    }
}
