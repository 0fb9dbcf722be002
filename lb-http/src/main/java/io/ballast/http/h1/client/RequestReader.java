package io.ballast.http.h1.client;

import io.ballast.http.config.Underscores;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.PartialHead;
import io.ballast.http.head.ScanResult;
import io.netty.buffer.ByteBuf;

/**
 * Finds request heads in the receive buffer. An incomplete head is scanned again only if new data could complete it.
 * Event-loop confined.
 */
final class RequestReader {

    private final ClientLoop loop;
    private final ReceiveBuffer receiveBuffer;
    private final HeadLimits limits;
    private final boolean rejectsUnderscores;
    private final boolean secure;
    private final PartialHead partial = new PartialHead();

    /**
     * Creates the reader of a connection.
     *
     * @param underscores how header names with underscores are handled; the reader applies only the rule that
     *     rejects such requests
     * @param secure whether the client uses TLS, so that the {@code https} scheme is allowed
     */
    RequestReader(
            ClientLoop loop, ReceiveBuffer receiveBuffer, HeadLimits limits, Underscores underscores, boolean secure) {
        this.loop = loop;
        this.receiveBuffer = receiveBuffer;
        this.limits = limits;
        this.rejectsUnderscores = underscores == Underscores.REJECT;
        this.secure = secure;
    }

    /** Whether a head has begun and is incomplete. */
    boolean isInHead() {
        return partial.hasStarted();
    }

    /** Scans the buffered data, which must not be empty, into the event loop's scanner. */
    ScanResult next() {
        ByteBuf source = receiveBuffer.bytes();
        PartialHead.skipEmptyLine(source);
        if (!source.isReadable()) {
            receiveBuffer.drop();
            return ScanResult.INCOMPLETE;
        }
        if (partial.lacksNewLine(source, limits)) {
            return ScanResult.INCOMPLETE;
        }
        ScanResult result = scan(source);
        if (result == ScanResult.INCOMPLETE) {
            partial.recordScan(source);
        } else if (result == ScanResult.COMPLETE) {
            partial.forget();
            if (rejectsUnderscores && loop.request.hasUnderscore) {
                return loop.request.reject(HeadError.UNDERSCORE);
            }
        }
        return result;
    }

    /** Stops waiting for the rest of a head. */
    void abandon() {
        partial.forget();
    }

    /** Scans a head again, because other connections may have used the scanner in between. */
    void rescan(ByteBuf head) {
        scan(head);
    }

    private ScanResult scan(ByteBuf source) {
        int max = limits.head() + 1;
        byte[] bytes = loop.requestBytes.copy(source, max);
        loop.request.secure = secure;
        return loop.request.scan(bytes, Math.min(source.readableBytes(), max), limits);
    }
}
