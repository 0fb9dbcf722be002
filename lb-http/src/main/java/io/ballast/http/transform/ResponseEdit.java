package io.ballast.http.transform;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import java.util.BitSet;

/**
 * The head of a backend's response, and the changes that a policy makes. The header rules of listeners, routes and
 * pools apply to the changed head. Event-loop confined; one object serves all responses of a client connection or
 * stream.
 */
public final class ResponseEdit {

    /** Disables the limits, because the pool's limits were checked before the head was changed. */
    private static final HeadLimits NO_LIMITS =
            new HeadLimits(Integer.MAX_VALUE / 2, Integer.MAX_VALUE / 2, Integer.MAX_VALUE / 2, Integer.MAX_VALUE);

    private static final String TRANSFER_ENCODING = "Transfer-Encoding: chunked\r\n";
    private static final int MINOR_VERSION_AT = 7;

    private final BitSet removedLines = new BitSet();
    private final ByteAppender added = new ByteAppender();
    private ByteAppender text = new ByteAppender();
    /** The head before the last change, while {@link #text} contains the changed head. */
    private ByteAppender spare = new ByteAppender();

    private ResponseScanner head = new ResponseScanner();
    private BodyFraming framing = BodyFraming.NONE;
    private boolean headRequest;
    private boolean bodyReplaceable;

    /**
     * Starts the changes of a response.
     *
     * @param toHeadRequest whether it is the response to a HEAD request
     * @param mayReplaceBody whether the client accepts a body of unknown length
     */
    public void begin(ResponseScanner response, BodyFraming body, boolean toHeadRequest, boolean mayReplaceBody) {
        head = response;
        framing = body;
        headRequest = toHeadRequest;
        bodyReplaceable = mayReplaceBody;
        removedLines.clear();
        added.clear();
    }

    /** The head of the backend's response; must not be modified. */
    public ResponseScanner head() {
        return head;
    }

    /**
     * Finds a header line of the backend's response.
     *
     * @param lowerCaseName the name in lower case
     * @param from the first line to check; 0 for all
     * @return the number of the line, or -1
     */
    public int line(byte[] lowerCaseName, int from) {
        for (int line = from; line < head.count; line++) {
            if (ByteClasses.equalsIgnoreCase(head.bytes, head.lineStart[line], head.nameEnd[line], lowerCaseName)) {
                return line;
            }
        }
        return -1;
    }

    /** Whether this is the response to a HEAD request. Such a response has no body, even if its head announces one. */
    public boolean isToHeadRequest() {
        return headRequest;
    }

    /** Whether the response may have a body of at least one byte. */
    public boolean hasBody() {
        return framing != BodyFraming.NONE && !(framing == BodyFraming.LENGTH && head.contentLength == 0);
    }

    /**
     * Whether only the end of the connection ends the body, so that a truncated body may seem complete (RFC 9112
     * section 8).
     */
    public boolean isDelimitedByClose() {
        return framing == BodyFraming.UNTIL_CLOSE;
    }

    /** Whether the client accepts another body; false for a client of HTTP/1.0, which has no chunked coding. */
    public boolean mayReplaceBody() {
        return bodyReplaceable;
    }

    /** Removes a line of the head. */
    public void remove(int line) {
        removedLines.set(line);
    }

    /** Header lines to add, each with its line end. */
    public ByteAppender addedLines() {
        return added;
    }

    /** Whether the head is unchanged. */
    public boolean isEmpty() {
        return removedLines.isEmpty() && added.length() == 0;
    }

    /** Removes the headers that describe the length of a body. */
    public void removeFraming() {
        for (int line = 0; line < head.count; line++) {
            if (head.names[line] == HeaderName.CONTENT_LENGTH || head.names[line] == HeaderName.TRANSFER_ENCODING) {
                remove(line);
            }
        }
    }

    /** Announces a body with chunked coding. */
    public void addChunkedCoding() {
        added.appendAscii(TRANSFER_ENCODING);
    }

    /**
     * Applies the changes: afterwards, {@link #head} describes the changed head.
     *
     * @return the changed head; valid until the next change
     */
    public ByteAppender apply() {
        byte[] source = head.bytes;
        ByteAppender before = text; // contains the source if an earlier policy has changed the head
        text = spare;
        spare = before;
        text.clear();
        text.append(source, 0, MINOR_VERSION_AT);
        text.append((byte) '1'); // a response of HTTP/1.0 has no chunked coding
        int kept = MINOR_VERSION_AT + 1;
        for (int line = removedLines.nextSetBit(0); line >= 0; line = removedLines.nextSetBit(line + 1)) {
            text.append(source, kept, head.lineStart[line]);
            kept = head.lineLimit(line);
        }
        text.append(source, kept, head.end - 2);
        text.append(added);
        text.appendAscii("\r\n");
        if (head.scan(text.bytes(), text.length(), NO_LIMITS) != ScanResult.COMPLETE) {
            throw new IllegalStateException("a policy has added an invalid header line");
        }
        return text;
    }
}
