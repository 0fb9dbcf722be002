package io.ballast.http.h1.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Takes the chunks off a body for a client of HTTP/1.0, which does not know them and gets the end of the connection as
 * the end of the body. The backend's side has checked the chunks before. Event-loop confined.
 */
public final class Dechunker {

    private final ChunkScanner chunks = new ChunkScanner();

    void reset() {
        chunks.reset();
    }

    /** Returns the data in {@code buffer[from, writerIndex)}, preceded by what stands before {@code from}; consumes it. */
    public ByteBuf decode(ByteBuf buffer, int from, ByteBufAllocator allocator) {
        ByteBuf target = allocator.directBuffer(buffer.readableBytes());
        target.writeBytes(buffer, buffer.readerIndex(), from - buffer.readerIndex());
        chunks.scan(buffer, from, buffer.writerIndex(), (start, length) -> target.writeBytes(buffer, start, length));
        buffer.release();
        return target;
    }
}
