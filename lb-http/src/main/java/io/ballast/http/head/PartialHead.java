package io.ballast.http.head;

import io.netty.buffer.ByteBuf;

/** Tracks the scan of an incomplete request or response head. Event-loop confined. */
public final class PartialHead {

    private boolean started;
    private int scannedBytes;
    /** Offset of the incomplete line. */
    private int lineStart;

    /**
     * Skips empty lines before a request, which some old clients send after a body (RFC 9112 section 2.2). All empty
     * lines are skipped, so that the result does not depend on how the data is split.
     */
    public static void skipEmptyLine(ByteBuf source) {
        int at = source.readerIndex();
        while (source.readableBytes() >= 2
                && source.getByte(at) == ByteClasses.CR
                && source.getByte(at + 1) == ByteClasses.LF) {
            source.skipBytes(2);
            at += 2;
        }
    }

    /**
     * Whether another scan would find nothing new: no line has been completed since the last scan, and no limit is
     * exceeded. A head that arrives byte by byte is therefore scanned once per line, not once per byte. Also true while
     * only the CR of an empty line before the head has arrived.
     */
    public boolean lacksNewLine(ByteBuf source, HeadLimits limits) {
        int start = source.readerIndex();
        int length = source.readableBytes();
        if (!started) {
            return length == 1 && source.getByte(start) == ByteClasses.CR;
        }
        return length < limits.head()
                && length - lineStart <= Math.min(limits.startLine(), limits.header())
                && source.indexOf(start + scannedBytes, source.writerIndex(), ByteClasses.LF) < 0;
    }

    /** Records that {@code source} was scanned and is incomplete; returns true for the first scan of a head. */
    public boolean recordScan(ByteBuf source) {
        boolean first = !started;
        started = true;
        int start = source.readerIndex();
        int length = source.readableBytes();
        // Searches backwards for the last line end; bytes that were already scanned are skipped.
        int lastLineEnd = source.indexOf(source.writerIndex(), start + (first ? 0 : scannedBytes), ByteClasses.LF);
        if (first) {
            lineStart = 0;
        }
        if (lastLineEnd >= 0) {
            lineStart = lastLineEnd + 1 - start;
        }
        scannedBytes = length;
        return first;
    }

    /** Whether part of a head has been scanned, but not its end. */
    public boolean hasStarted() {
        return started;
    }

    /** Resets the state because the head is complete or abandoned. */
    public void forget() {
        started = false;
    }
}
