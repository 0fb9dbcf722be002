package io.ballast.http.h1.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Removes the chunked coding from a body for an HTTP/1.0 client. For this client, the end of the connection
 * marks the end of the body. The backend side has already validated the chunks. Event-loop confined.
 */
public final class Dechunker {

    private final ChunkScanner chunks = new ChunkScanner();

    void reset() {
        chunks.reset();
    }

    /**
     * Returns the bytes before {@code from} unchanged, followed by the data decoded from the chunks in
     * {@code buffer[from, writerIndex)}; consumes the buffer.
     */
    public ByteBuf decode(ByteBuf buffer, int from, ByteBufAllocator allocator) {
        ByteBuf target = allocator.directBuffer(buffer.readableBytes());
        target.writeBytes(buffer, buffer.readerIndex(), from - buffer.readerIndex());
        chunks.scan(buffer, from, buffer.writerIndex(), (start, length) -> target.writeBytes(buffer, start, length));
        buffer.release();
        return target;
    }
}
