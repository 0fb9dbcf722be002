package io.ballast.http.check;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * What came from a backend, an octet a character, and where in it something stands. However it comes in pieces, and whatever is
 * taken away, no octet is searched in vain or moved for each piece again: the cost is linear. Event-loop confined.
 */
final class ReceivedText {

    private final StringBuilder text = new StringBuilder();
    /** What is before was taken away. */
    private int start;
    /** Nothing that is looked for begins before. */
    private int searched;

    /** Appends what is readable and reads it. */
    void append(ByteBuf data) {
        if (start > 0) {
            text.delete(0, start);
            searched -= start;
            start = 0;
        }
        text.append(data.readCharSequence(data.readableBytes(), StandardCharsets.ISO_8859_1));
    }

    /**
     * Looks where {@code wanted} begins, not before what was found last. What was looked for in vain must be looked for again
     * until it is found.
     *
     * @return -1 if it has not come
     */
    int find(String wanted) {
        int found = text.indexOf(wanted, searched);
        searched = found >= 0 ? found : Math.max(searched, text.length() - wanted.length() + 1);
        return found < 0 ? -1 : found - start;
    }

    /** Takes the first characters away. */
    void drop(int length) {
        start += length;
        searched = Math.max(searched, start);
    }

    int length() {
        return text.length() - start;
    }

    char charAt(int index) {
        return text.charAt(start + index);
    }

    /** The first characters. */
    String first(int length) {
        return text.substring(start, start + length);
    }

    /** How many of the characters the next search begins behind. */
    int searched() {
        return searched - start;
    }
}
