package io.ballast.http.check;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A searchable buffer of data received from a backend, one character per byte. Each byte is searched and moved a
 * constant number of times, however the data is split, so the cost is linear. Event-loop confined.
 */
final class SearchableBuffer {

    private final StringBuilder text = new StringBuilder();
    /** Index of the first character that was not dropped. */
    private int start;
    /** Index at which the next search starts. */
    private int searchIndex;

    /** Appends the readable bytes and consumes them. */
    void append(ByteBuf data) {
        if (start > 0) {
            text.delete(0, start);
            searchIndex -= start;
            start = 0;
        }
        text.append(data.readCharSequence(data.readableBytes(), StandardCharsets.ISO_8859_1));
    }

    /**
     * Finds {@code wanted} at or after the last match. After a search without a match, the next search must be
     * for the same text, until it is found.
     *
     * @return the index; -1 if the text has not arrived yet
     */
    int find(String wanted) {
        int found = text.indexOf(wanted, searchIndex);
        searchIndex = found >= 0 ? found : Math.max(searchIndex, text.length() - wanted.length() + 1);
        return found < 0 ? -1 : found - start;
    }

    /** Drops the first {@code length} characters. */
    void drop(int length) {
        start += length;
        searchIndex = Math.max(searchIndex, start);
    }

    int length() {
        return text.length() - start;
    }

    char charAt(int index) {
        return text.charAt(start + index);
    }

    /** The first {@code length} characters. */
    String first(int length) {
        return text.substring(start, start + length);
    }

    /** The index at which the next search starts. */
    int searchIndex() {
        return searchIndex - start;
    }
}
