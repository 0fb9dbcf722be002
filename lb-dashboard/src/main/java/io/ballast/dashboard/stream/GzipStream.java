package io.ballast.dashboard.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses the messages of one stream with gzip (<a
 * href="https://datatracker.ietf.org/doc/html/rfc1952">RFC 1952</a>). Each message is flushed, so that the
 * client can decode it immediately. Later messages can refer to the text of earlier messages. Holds about 300
 * KiB of native memory until it is closed.
 *
 * <p>Thread safety: confined to one thread.
 */
final class GzipStream implements AutoCloseable {

    /** The gzip header: magic number, deflate, no flags, no time, no extra flags, unknown operating system. */
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, /* nowrap= */ true);
    private final CRC32 checksum = new CRC32();
    private final byte[] chunk = new byte[8 * 1024];
    private boolean started;

    /** Compresses a message. Does not release {@code message}; the caller owns the returned buffer. */
    ByteBuf compress(ByteBuf message) {
        ByteBuf out = begin(message.readableBytes() / 4);
        byte[] plain = new byte[message.readableBytes()];
        message.getBytes(message.readerIndex(), plain);
        checksum.update(plain, 0, plain.length);
        deflater.setInput(plain);
        int length;
        do {
            length = deflater.deflate(chunk, 0, chunk.length, Deflater.SYNC_FLUSH);
            out.writeBytes(chunk, 0, length);
        } while (length == chunk.length);
        return out;
    }

    /** Returns the last bytes of the stream. The caller owns the buffer. */
    ByteBuf finish() {
        ByteBuf out = begin(chunk.length);
        deflater.finish();
        while (!deflater.finished()) {
            out.writeBytes(chunk, 0, deflater.deflate(chunk));
        }
        return out.writeIntLE((int) checksum.getValue()).writeIntLE((int) deflater.getBytesRead());
    }

    private ByteBuf begin(int expected) {
        ByteBuf out = Unpooled.buffer(GZIP_HEADER.length + expected);
        if (!started) {
            started = true;
            out.writeBytes(GZIP_HEADER);
        }
        return out;
    }

    @Override
    public void close() {
        deflater.end();
    }
}
