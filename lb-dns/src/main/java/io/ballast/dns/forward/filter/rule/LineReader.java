package io.ballast.dns.forward.filter.rule;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of UTF-8 text with any kind of line terminator, and truncates long lines. Confined to one
 * thread.
 */
final class LineReader {

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int END_OF_STREAM = -1;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final byte[] line;
    private int position;
    private int end;
    private boolean isEndedByCarriageReturn;

    /** @param max the maximum length of a line in bytes; longer lines are truncated */
    LineReader(InputStream in, int max) {
        this.in = in;
        this.line = new byte[max];
    }

    /** Returns the next line, truncated if it is too long; null after the last line. */
    @Nullable String next() throws IOException {
        int length = 0;
        int read = readByte();
        if (read == '\n' && isEndedByCarriageReturn) {
            read = readByte();
        }
        isEndedByCarriageReturn = false;
        if (read == END_OF_STREAM) {
            return null;
        }
        while (read != END_OF_STREAM && read != '\n' && read != '\r') {
            if (length < line.length) {
                line[length++] = (byte) read;
            }
            read = readByte();
        }
        isEndedByCarriageReturn = read == '\r';
        return new String(line, 0, length, StandardCharsets.UTF_8);
    }

    private int readByte() throws IOException {
        if (position == end) {
            end = Math.max(0, in.read(buffer));
            position = 0;
            if (end == 0) {
                return END_OF_STREAM;
            }
        }
        return buffer[position++] & 0xff;
    }
}
