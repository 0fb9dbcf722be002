package io.ballast.server.host;

import java.io.PrintWriter;
import java.io.Writer;

/** Forwards the written text, and stores its beginning. Confined to one thread. */
public final class TeeWriter extends Writer {

    private static final int MAX_CHARACTERS = 4096;

    private final PrintWriter to;
    private final StringBuilder heard = new StringBuilder();

    public TeeWriter(PrintWriter to) {
        this.to = to;
    }

    /** Returns the first {@value #MAX_CHARACTERS} characters that were written. */
    public String heard() {
        return heard.toString().strip();
    }

    @Override
    public void write(char[] text, int from, int length) {
        to.write(text, from, length);
        heard.append(text, from, Math.min(length, MAX_CHARACTERS - heard.length()));
    }

    @Override
    public void flush() {
        to.flush();
    }

    /** Leaves the other writer open. */
    @Override
    public void close() {
        flush();
    }
}
