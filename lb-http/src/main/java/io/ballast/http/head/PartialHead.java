package io.ballast.http.head;

import io.netty.buffer.ByteBuf;

/** What is known of a head that is not complete, a request's or a response's. Event-loop confined. */
public final class PartialHead {

    private boolean begun;
    private int scannedBytes;
    /** Where the line begins that was not complete. */
    private int lineStart;

    /**
     * RFC 9112 section 2.2: an empty line before a request is a leftover of some old client's last one. All of them are
     * skipped, so that it does not matter in how many pieces they come.
     */
    public static void skipEmptyLine(ByteBuf source) {
        int at = source.readerIndex();
        while (source.readableBytes() >= 2 && source.getByte(at) == Octets.CR && source.getByte(at + 1) == Octets.LF) {
            source.skipBytes(2);
            at += 2;
        }
    }

    /**
     * Whether scanning would find nothing new: the head has become longer since it was scanned, but has no line more and
     * none that is too long. A head that comes octet by octet is scanned once for each line, and not for each octet.
     * Also for the first half of an empty line.
     */
    public boolean lacksNewLine(ByteBuf source, HeadLimits limits) {
        int start = source.readerIndex();
        int length = source.readableBytes();
        if (!begun) {
            return length == 1 && source.getByte(start) == Octets.CR;
        }
        return length < limits.head()
                && length - lineStart <= Math.min(limits.startLine(), limits.header())
                && source.indexOf(start + scannedBytes, source.writerIndex(), Octets.LF) < 0;
    }

    /** Remembers that {@code source} was scanned in vain; true if it is the beginning of a head. */
    public boolean scanned(ByteBuf source) {
        boolean first = !begun;
        begun = true;
        int start = source.readerIndex();
        int length = source.readableBytes();
        // Backwards, to the last line end; the last octets have none if they were looked through before.
        int lastLineEnd = source.indexOf(source.writerIndex(), start + (first ? 0 : scannedBytes), Octets.LF);
        if (first) {
            lineStart = 0;
        }
        if (lastLineEnd >= 0) {
            lineStart = lastLineEnd + 1 - start;
        }
        scannedBytes = length;
        return first;
    }

    /** Whether the beginning of a head was scanned, and not its end. */
    public boolean hasBegun() {
        return begun;
    }

    /** The head is complete, or given up. */
    public void forget() {
        begun = false;
    }
}
