package io.ballast.http.h1.client;

import io.ballast.http.config.Underscores;
import io.ballast.http.head.HeadFault;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.PartialHead;
import io.ballast.http.head.Scan;
import io.netty.buffer.ByteBuf;

/**
 * Finds the heads of requests in what arrives from a client. A head that comes in pieces is looked at again whenever that
 * may tell something new. Event-loop confined.
 */
final class RequestReader {

    private final ClientLoop loop;
    private final ReceiveBuffer receiveBuffer;
    private final HeadLimits limits;
    private final boolean rejectsUnderscores;
    private final boolean secure;
    private final PartialHead partial = new PartialHead();

    /**
     * @param underscores what happens to headers with such names; to leave them out is not this one's work
     * @param secure whether the client comes in by TLS, and may ask for {@code https} by the scheme
     */
    RequestReader(
            ClientLoop loop, ReceiveBuffer receiveBuffer, HeadLimits limits, Underscores underscores, boolean secure) {
        this.loop = loop;
        this.receiveBuffer = receiveBuffer;
        this.limits = limits;
        this.rejectsUnderscores = underscores == Underscores.REJECT;
        this.secure = secure;
    }

    /** Whether the beginning of a head has come, and not its end. */
    boolean isInHead() {
        return partial.hasBegun();
    }

    /** Scans what arrived, which must not be nothing, into the event loop's scanner. */
    Scan next() {
        ByteBuf source = receiveBuffer.bytes();
        PartialHead.skipEmptyLine(source);
        if (!source.isReadable()) {
            receiveBuffer.drop();
            return Scan.INCOMPLETE;
        }
        if (partial.lacksNewLine(source, limits)) {
            return Scan.INCOMPLETE;
        }
        Scan result = scan(source);
        if (result == Scan.INCOMPLETE) {
            partial.scanned(source);
        } else if (result == Scan.COMPLETE) {
            partial.forget();
            if (rejectsUnderscores && loop.request.hasUnderscore) {
                return loop.request.reject(HeadFault.UNDERSCORE);
            }
        }
        return result;
    }

    /** The rest of a head is not waited for. */
    void giveUp() {
        partial.forget();
    }

    /** Scans a head that was scanned before: other connections may have used the scanner since. */
    void again(ByteBuf head) {
        scan(head);
    }

    private Scan scan(ByteBuf source) {
        int most = limits.head() + 1;
        byte[] bytes = loop.requestBytes.copy(source, most);
        loop.request.secure = secure;
        return loop.request.scan(bytes, Math.min(source.readableBytes(), most), limits);
    }
}
