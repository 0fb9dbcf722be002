package io.ballast.bench.load;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Finds the end of one response after the other on a connection. Knows only what a load run meets: a response to GET
 * whose length Content-Length tells; anything else is an error. Event-loop confined.
 */
final class ResponseReader {

    private static final int MOST_HEAD_BYTES = 16384;
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final String LENGTH = "\r\ncontent-length:";
    private static final String CLOSE = "\r\nconnection: close\r\n";
    private static final int IN_HEAD = -1;

    private final byte[] head = new byte[MOST_HEAD_BYTES];
    private int headBytes;
    private long bodyLeft = IN_HEAD;
    private int status;
    private boolean closes;

    /** Begins with a new response. */
    void reset() {
        headBytes = 0;
        bodyLeft = IN_HEAD;
    }

    int status() {
        return status;
    }

    /** Whether the server closes the connection after this response. */
    boolean closes() {
        return closes;
    }

    /**
     * Reads all of {@code received}, which it borrows; returns whether the response is whole.
     *
     * @throws IllegalStateException if this is no response that it knows, or more than one
     */
    boolean read(ByteBuf received) {
        if (bodyLeft == IN_HEAD) {
            readHead(received);
        }
        if (bodyLeft == IN_HEAD) {
            return false;
        }
        int octets = received.readableBytes();
        if (octets > bodyLeft) {
            throw new IllegalStateException(octets - bodyLeft + " octets after the response");
        }
        received.skipBytes(octets);
        bodyLeft -= octets;
        return bodyLeft == 0;
    }

    private void readHead(ByteBuf received) {
        int octets = Math.min(received.readableBytes(), MOST_HEAD_BYTES - headBytes);
        int from = Math.max(0, headBytes - 3);
        received.getBytes(received.readerIndex(), head, headBytes, octets);
        int end = endOfHead(from, headBytes + octets);
        if (end < 0) {
            received.skipBytes(octets);
            headBytes += octets;
            if (headBytes == MOST_HEAD_BYTES) {
                throw new IllegalStateException("a head of more than " + MOST_HEAD_BYTES + " octets");
            }
            return;
        }
        received.skipBytes(end - headBytes);
        judge(new String(head, 0, end, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT));
    }

    private int endOfHead(int from, int to) {
        for (int i = from; i + 4 <= to; i++) {
            if (head[i] == '\r' && head[i + 1] == '\n' && head[i + 2] == '\r' && head[i + 3] == '\n') {
                return i + 4;
            }
        }
        return -1;
    }

    private void judge(String text) {
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
