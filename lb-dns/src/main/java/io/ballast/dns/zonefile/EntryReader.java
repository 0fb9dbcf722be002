package io.ballast.dns.zonefile;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * Splits a zone file into entries, and entries into words (<a
 * href="https://datatracker.ietf.org/doc/html/rfc1035#section-5.1">RFC 1035 section 5.1</a>). Blanks separate
 * words, a semicolon begins a comment, parentheses join lines, quotation marks preserve blanks, and a
 * backslash escapes the next character.
 *
 * <p>Thread safety: confined to one thread. Memory: an entry has at most {@value #MAX_BYTES} bytes.
 */
final class EntryReader implements Closeable {

    /** Maximum entry size; the longest record needs less: 65,535 bytes, each written as up to four characters. */
    static final int MAX_BYTES = 1 << 20;

    private static final int END = -1;
    private static final int MIN_BUFFERED = 512;
    private static final int MAX_BUFFERED = 32 * 1024;

    private final InputStream in;
    private final byte[] buffer;
    private int position;
    private int filled;
    private int line = 1;
    private int column = 1;
    private int depth;
    private int openLine;
    private int openColumn;

    /** @param in stream that is closed together with this reader */
    EntryReader(InputStream in) throws IOException {
        this.in = in;
        // The initial size depends on the file, so that many small files use no more memory than they need.
        this.buffer = new byte[Math.min(MAX_BUFFERED, Math.max(MIN_BUFFERED, in.available() + 1))];
    }

    /**
     * Reads the next entry that has words.
     *
     * @return whether there is such an entry
     * @throws MalformedEntryException if the words of the entry cannot be parsed; the next call continues after this
     *     entry
     */
    boolean read(ZoneFileEntry entry) throws IOException, MalformedEntryException {
        while (true) {
            entry.clear();
            depth = 0;
            int first = peek();
            if (first == END) {
                return false;
            }
            if (isBlank(first)) {
                entry.markOwnerOmitted();
            }
            readWords(entry);
            if (entry.words() > 0) {
                return true;
            }
        }
    }

    private void readWords(ZoneFileEntry entry) throws IOException, MalformedEntryException {
        while (true) {
            int b = peek();
            if (b == END) {
                checkClosed();
                entry.end(line, column);
                return;
            }
            switch (b) {
                case '\n' -> {
                    if (depth == 0) {
                        entry.end(line, column);
                        next();
                        return;
                    }
                    next();
                }
                case ' ', '\t' -> next();
                case ';' -> skipLine();
                case '(' -> openParenthesis();
                case ')' -> closeParenthesis(entry);
                case '"' -> readQuoted(entry);
                default -> readWord(entry);
            }
        }
    }

    private void openParenthesis() throws IOException {
        if (depth++ == 0) {
            openLine = line;
            openColumn = column;
        }
        next();
    }

    private void closeParenthesis(ZoneFileEntry entry) throws IOException, MalformedEntryException {
        if (depth == 0) {
            throw skipMalformed(line, column, "')' without '('", entry);
        }
        depth--;
        next();
    }

    private void checkClosed() throws MalformedEntryException {
        if (depth > 0) {
            throw new MalformedEntryException(openLine, openColumn, "'(' is not closed");
        }
    }

    private void readWord(ZoneFileEntry entry) throws IOException, MalformedEntryException {
        entry.beginWord(line, column, /* inQuotes= */ false);
        for (int b = peek(); !endsWord(b); b = peek()) {
            addOrEscape(entry, b);
        }
    }

    private void readQuoted(ZoneFileEntry entry) throws IOException, MalformedEntryException {
        int startLine = line;
        int startColumn = column;
        entry.beginWord(line, column, /* inQuotes= */ true);
        next();
        for (int b = peek(); b != '"'; b = peek()) {
            if (b == END || b == '\n') {
                throw skipMalformed(startLine, startColumn, "'\"' is not closed in its line", entry);
            }
            addOrEscape(entry, b);
        }
        next();
    }

    private void addOrEscape(ZoneFileEntry entry, int b) throws IOException, MalformedEntryException {
        if (entry.length() >= MAX_BYTES) {
            failTooLong();
        }
        int escapeLine = line;
        int escapeColumn = column;
        entry.add(b);
        next();
        if (b == '\\') {
            int escaped = peek();
            if (escaped == END || escaped == '\n') {
                throw skipMalformed(
                        escapeLine, escapeColumn, "'\\' at the end of a line (expected: a character)", entry);
            }
            entry.add(escaped);
            next();
        }
    }

    /** Stops reading, because the start of the next entry is unknown. */
    private void failTooLong() throws MalformedEntryException {
        filled = END;
        checkClosed();
        throw new MalformedEntryException(
                line, column, "the entry is too long (expected: at most " + MAX_BYTES + " bytes)");
    }

    /** Skips to the next line or to the end of the parentheses, so that reading can continue there. */
    private MalformedEntryException skipMalformed(int atLine, int atColumn, String message, ZoneFileEntry entry)
            throws IOException {
        skipLine();
        while (depth > 0 && peek() != END) {
            switch (peek()) {
                case ';' -> skipLine();
                case '(' -> depth++;
                case ')' -> depth--;
                default -> {}
            }
            next();
        }
        if (depth == 0 && peek() != '\n') {
            skipLine();
        }
        entry.clear();
        return new MalformedEntryException(atLine, atColumn, message);
    }

    private void skipLine() throws IOException {
        while (peek() != '\n' && peek() != END) {
            next();
        }
    }

    private static boolean isBlank(int b) {
        return b == ' ' || b == '\t';
    }

    private static boolean endsWord(int b) {
        return switch (b) {
            case END, '\n', ' ', '\t', ';', '(', ')', '"' -> true;
            default -> false;
        };
    }

    /**
     * Returns the current byte, or {@link #END} after the last one. A carriage return is returned as a line feed.
     */
    private int peek() throws IOException {
        if (position >= filled) {
            if (filled == END) {
                return END;
            }
            filled = in.read(buffer);
            position = 0;
            if (filled <= 0) {
                filled = END;
                return END;
            }
        }
        int b = buffer[position] & 0xff;
        return b == '\r' ? '\n' : b;
    }

    private void next() throws IOException {
        if (peek() == END) {
            return;
        }
        int b = buffer[position++];
        if (b == '\r' && peek() == '\n' && buffer[position] == '\n') {
            position++;
            b = '\n';
        }
        if (b == '\n' || b == '\r') {
            line++;
            column = 1;
        } else if ((b & 0xc0) != 0x80) { // continuation bytes of a UTF-8 character do not count as columns
            column++;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
