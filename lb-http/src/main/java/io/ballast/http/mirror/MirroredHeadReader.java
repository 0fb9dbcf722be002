package io.ballast.http.mirror;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Reads the head that was sent to a backend, and returns the lines that the mirrored request repeats. Serves all
 * requests of an event loop. Event-loop confined.
 */
final class MirroredHeadReader {

    private static final int MAX_BYTES = 1 << 20;
    private static final HeadLimits LIMITS = new HeadLimits(MAX_BYTES, MAX_BYTES, MAX_BYTES, /* headers= */ 10_000);

    private final RequestScanner scanner = new RequestScanner();
    private final ByteAppender kept = new ByteAppender();
    private byte[] scratch = new byte[1024];

    /** Scans a head; false if it is malformed. The other methods describe the scanned head. */
    boolean read(ByteBuf head, int headBytes) {
        if (scratch.length < headBytes + FieldScanner.SLACK) {
            scratch = new byte[headBytes + FieldScanner.SLACK];
        }
        head.getBytes(head.readerIndex(), scratch, 0, headBytes);
        return scanner.scan(scratch, headBytes, LIMITS) == ScanResult.COMPLETE;
    }

    /** Whether the request asks for a protocol switch. */
    boolean asksForTunnel() {
        return scanner.hasUpgrade;
    }

    boolean isChunked() {
        return scanner.chunked;
    }

    /** The announced length of the body; negative if unknown, or if there is none. */
    long contentLength() {
        return scanner.contentLength;
    }

    /** Whether the head announces a body, which may be empty. */
    boolean announcesBody() {
        return scanner.chunked || scanner.contentLength >= 0;
    }

    /**
     * Returns the request line and the header lines, without the lines that describe the transfer of the body, and
     * without the empty line.
     */
    byte[] keptLines() {
        kept.clear();
        kept.append(scanner.bytes, 0, scanner.fieldsStart);
        for (int line = 0; line < scanner.count; line++) {
            HeaderName name = scanner.names[line];
            if (name != HeaderName.CONTENT_LENGTH
                    && name != HeaderName.TRANSFER_ENCODING
                    && name != HeaderName.TRAILER
                    && name != HeaderName.EXPECT) {
                kept.append(scanner.bytes, scanner.lineStart[line], scanner.lineLimit(line));
            }
        }
        return Arrays.copyOf(kept.bytes(), kept.length());
    }
}
