package io.ballast.bench.load;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Finds the ends of consecutive responses on a connection. Supports only responses to GET with Content-Length; anything
 * else is an error. Event-loop confined.
 */
final class LoadResponseParser {

    private static final int MAX_HEAD_BYTES = 16384;
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final String LENGTH = "\r\ncontent-length:";
    private static final String CLOSE = "\r\nconnection: close\r\n";
    private static final int IN_HEAD = -1;

    private final byte[] head = new byte[MAX_HEAD_BYTES];
    private int headBytes;
    private long bodyLeft = IN_HEAD;
    private int status;
    private boolean closes;

    /** Resets the parser before a new response. */
    void reset() {
        headBytes = 0;
        bodyLeft = IN_HEAD;
    }

    int status() {
        return status;
    }

    /** Returns whether the server closes the connection after this response. */
    boolean closes() {
        return closes;
    }

    /**
     * Reads all of {@code received}, which it borrows; returns whether the response is complete.
     *
     * @throws IllegalStateException for an unsupported response, or bytes after it
     */
    boolean read(ByteBuf received) {
        if (bodyLeft == IN_HEAD) {
            readHead(received);
        }
        if (bodyLeft == IN_HEAD) {
            return false;
        }
        int bytes = received.readableBytes();
        if (bytes > bodyLeft) {
            throw new IllegalStateException(bytes - bodyLeft + " bytes after the response");
        }
        received.skipBytes(bytes);
        bodyLeft -= bytes;
        return bodyLeft == 0;
    }

    private void readHead(ByteBuf received) {
        int bytes = Math.min(received.readableBytes(), MAX_HEAD_BYTES - headBytes);
        int from = Math.max(0, headBytes - 3);
        received.getBytes(received.readerIndex(), head, headBytes, bytes);
        int end = endOfHead(from, headBytes + bytes);
        if (end < 0) {
            received.skipBytes(bytes);
            headBytes += bytes;
            if (headBytes == MAX_HEAD_BYTES) {
                throw new IllegalStateException("a head of more than " + MAX_HEAD_BYTES + " bytes");
            }
            return;
        }
        received.skipBytes(end - headBytes);
        checkStatusLine(new String(head, 0, end, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT));
    }

    private int endOfHead(int from, int to) {
        for (int i = from; i + 4 <= to; i++) {
            if (head[i] == '\r' && head[i + 1] == '\n' && head[i + 2] == '\r' && head[i + 3] == '\n') {
                return i + 4;
            }
        }
        return -1;
    }

    private void checkStatusLine(String text) {
        int at = text.indexOf(LENGTH);
        if (!text.startsWith("http/1.1 ") || at < 0) {
            throw new IllegalStateException("expected HTTP/1.1 and Content-Length, got: " + text);
        }
        status = Integer.parseInt(text, STATUS_AT, STATUS_AT + 3, 10);
        int from = at + LENGTH.length();
        bodyLeft = Long.parseLong(text.substring(from, text.indexOf('\r', from)).strip());
        closes = text.contains(CLOSE);
    }
}
