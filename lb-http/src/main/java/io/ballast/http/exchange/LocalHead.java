package io.ballast.http.exchange;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The head of a local response. One object serves all responses of a client connection or stream, in sequence.
 * Event-loop confined.
 */
final class LocalHead {

    /**
     * The limits are high, because a cache may contain response heads that a pool with higher limits has accepted. Only
     * a defective source of local responses exceeds them.
     */
    private static final HeadLimits LIMITS = new HeadLimits(1 << 20, 1 << 20, 1 << 20, 10_000);

    private static final int MIN_STATUS = 200;
    private static final byte[] TRANSFER_ENCODING = ByteClasses.ascii("Transfer-Encoding: chunked\r\n");
    private static final byte[] CRLF = ByteClasses.ascii("\r\n");

    private final ByteAppender text = new ByteAppender();
    private final ResponseScanner scanner = new ResponseScanner();

    /**
     * Reads the lines of a head.
     *
     * @return whether they are valid
     */
    boolean read(byte[] lines, int length) {
        text.clear();
        text.append(lines, 0, length);
        return scan() && scanner.status() >= MIN_STATUS && !scanner.chunked;
    }

    private boolean scan() {
        text.append(CRLF);
        return scanner.scan(text.bytes(), text.length(), LIMITS) == ScanResult.COMPLETE;
    }

    /**
     * Decides how the body is sent, and changes the head if it needs chunked coding.
     *
     * @param client the receiver of the response
     */
    BodyFraming frame(ClientSide client) {
        BodyFraming framing = scanner.framing(client.request().isHead());
        if (framing != BodyFraming.UNTIL_CLOSE) {
            return framing;
        }
        if (client.framesBodies()) {
            return BodyFraming.STREAM;
        }
        text.truncate(text.length() - CRLF.length);
        text.append(TRANSFER_ENCODING);
        scan();
        return BodyFraming.CHUNKED;
    }

    /** The scanned head; valid until the next call of {@link #read}. */
    ResponseScanner scanner() {
        return scanner;
    }

    /** Returns a copy of the head with room for {@code more} bytes, owned by the caller. */
    ByteBuf copy(ByteBufAllocator allocator, int more) {
        return allocator.directBuffer(text.length() + more).writeBytes(text.bytes(), 0, text.length());
    }
}
