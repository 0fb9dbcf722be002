package io.ballast.dns.zonefile;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The words of one zone file entry. An entry is one line, or several lines in parentheses. Thread safety:
 * confined to the reading thread, which reuses the object.
 *
 * <p>Words consist of bytes; in strings, each byte is one character. Escapes are not decoded.
 */
final class ZoneFileEntry {

    private static final int LONGEST_SHOWN = 80;

    private byte[] text = new byte[512];
    private int length;
    private int words;
    private int[] starts = new int[16];
    private int[] lines = new int[16];
    private int[] columns = new int[16];
    private boolean[] quoted = new boolean[16];
    private boolean ownerOmitted;
    private int endLine;
    private int endColumn;

    void clear() {
        length = 0;
        words = 0;
        ownerOmitted = false;
    }

    /** Records that the line begins with a blank, so that the entry has the same owner as the previous entry. */
    void markOwnerOmitted() {
        ownerOmitted = true;
    }

    boolean isOwnerOmitted() {
        return ownerOmitted;
    }

    /** Starts the next word. */
    void beginWord(int line, int column, boolean inQuotes) {
        if (words == starts.length) {
            starts = Arrays.copyOf(starts, 2 * words);
            lines = Arrays.copyOf(lines, 2 * words);
            columns = Arrays.copyOf(columns, 2 * words);
            quoted = Arrays.copyOf(quoted, 2 * words);
        }
        starts[words] = length;
        lines[words] = line;
        columns[words] = column;
        quoted[words] = inQuotes;
        words++;
    }

    /** Appends a byte to the last word. */
    void add(int b) {
        if (length == text.length) {
            text = Arrays.copyOf(text, 2 * length);
        }
        text[length++] = (byte) b;
    }

    /** Ends the entry. */
    void end(int line, int column) {
        endLine = line;
        endColumn = column;
    }

    /** Number of words. */
    int words() {
        return words;
    }

    /** Returns the number of bytes of all words. */
    int length() {
        return length;
    }

    boolean isQuoted(int word) {
        return quoted[word];
    }

    int start(int word) {
        return starts[word];
    }

    /** Returns the index after the word's last byte, as used by {@link #byteAt}. */
    int end(int word) {
        return word + 1 < words ? starts[word + 1] : length;
    }

    int byteAt(int at) {
        return text[at] & 0xff;
    }

    String text(int word) {
        return new String(text, starts[word], end(word) - starts[word], StandardCharsets.ISO_8859_1);
    }

    /** Returns the word as readable text, or only its beginning if it is long. */
    String abbreviatedText(int word) {
        String whole = new String(text, starts[word], end(word) - starts[word], StandardCharsets.UTF_8);
        return whole.length() <= LONGEST_SHOWN ? whole : whole.substring(0, LONGEST_SHOWN) + "…";
    }

    /** Returns the line of a word; the line where the entry ends if there is no such word. */
    int line(int word) {
        return word < words ? lines[word] : endLine;
    }

    int column(int word) {
        return word < words ? columns[word] : endColumn;
    }
}
