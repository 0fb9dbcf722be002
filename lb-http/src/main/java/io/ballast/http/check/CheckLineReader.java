package io.ballast.http.check;

import io.ballast.http.head.ByteClasses;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads lines of text that end in LF or CR LF. */
final class CheckLineReader {

    private CheckLineReader() {}

    /**
     * Removes and returns the next line, without its terminator; null if it is incomplete. Each byte is one
     * character.
     */
    static @Nullable String next(ByteBuf received) {
        int length = received.bytesBefore(ByteClasses.LF);
        if (length < 0) {
            return null;
        }
        String line =
                received.readCharSequence(length, StandardCharsets.ISO_8859_1).toString();
        received.skipBytes(1);
        return line.endsWith("\r") ? line.substring(0, length - 1) : line;
    }
}
