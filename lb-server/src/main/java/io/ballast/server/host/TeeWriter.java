package io.ballast.server.host;

import java.io.PrintWriter;
import java.io.Writer;

/** Forwards the written text to another writer, and stores the beginning of the text. Confined to one thread. */
public final class TeeWriter extends Writer {

    private static final int MAX_CHARACTERS = 4096;

    private final PrintWriter target;
    private final StringBuilder captured = new StringBuilder();

    public TeeWriter(PrintWriter to) {
        this.target = to;
    }

    /** Returns the first {@value #MAX_CHARACTERS} characters that were written. */
    public String captured() {
        return captured.toString().strip();
    }

    @Override
    public void write(char[] text, int from, int length) {
        target.write(text, from, length);
        captured.append(text, from, Math.min(length, MAX_CHARACTERS - captured.length()));
    }

    @Override
    public void flush() {
        target.flush();
    }

    /** Flushes the target writer but does not close it. */
    @Override
    public void close() {
        flush();
    }
}
