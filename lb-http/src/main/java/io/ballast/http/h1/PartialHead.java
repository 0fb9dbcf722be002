package io.ballast.http.h1;

import io.netty.buffer.ByteBuf;

/** What is known of a request's head that is not complete. Event-loop confined. */
final class PartialHead {

    private boolean begun;
    private int scannedBytes;

    /** RFC 9112 section 2.2: an empty line before a request is a leftover of some old client's last one. */
    static void skipEmptyLine(ByteBuf source) {
        int at = source.readerIndex();
        if (source.readableBytes() >= 2 && source.getByte(at) == Octets.CR && source.getByte(at + 1) == Octets.LF) {
            source.skipBytes(2);
        }
    }

    /**
     * Whether scanning would find nothing new: the head has become longer since it was scanned, but has no line more.
     * Keeps a head that comes octet by octet from costing its length squared. Also for the first half of an empty line.
     */
    boolean lacksNewLine(ByteBuf source, HeadLimits limits) {
        int start = source.readerIndex();
        if (!begun) {
            return source.readableBytes() == 1 && source.getByte(start) == Octets.CR;
        }
        return source.readableBytes() <= limits.header()
                && source.indexOf(start + scannedBytes, source.writerIndex(), Octets.LF) < 0;
    }

    /** Remembers that {@code source} was scanned in vain; true if it is the beginning of a head. */
    boolean scanned(ByteBuf source) {
        boolean first = !begun;
        begun = true;
        scannedBytes = source.readableBytes();
        return first;
    }

    /** The head is complete. */
    void forget() {
        begun = false;
    }
}
