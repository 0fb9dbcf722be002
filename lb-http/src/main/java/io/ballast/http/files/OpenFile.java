package io.ballast.http.files;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** An open file. Its methods block, except those that return its properties. */
final class OpenFile implements AutoCloseable {

    private final FileChannel channel;
    private final long size;
    private final FileTime modified;
    private final @Nullable Object key;

    /** @param key identifies the file itself, independent of its path; null if the file system has no such key */
    OpenFile(FileChannel channel, long size, FileTime modified, @Nullable Object key) {
        this.channel = channel;
        this.size = size;
        this.modified = modified;
        this.key = key;
    }

    /** Identifies the file itself, independent of its path; null if the file system has no such key. */
    @Nullable Object key() {
        return key;
    }

    /** The length in bytes when the file was opened. */
    long size() {
        return size;
    }

    /** The time of the last change, truncated to whole seconds because HTTP headers have no fractions. */
    Instant modified() {
        return modified.toInstant().truncatedTo(ChronoUnit.SECONDS);
    }

    /** The strong entity tag, with its quotation marks; each coding of a file has a different tag. */
    String tag(@Nullable FileCoding coding) {
        Instant time = modified.toInstant();
        String suffix = coding == null ? "" : "-" + coding.token();
        return "\"" + Long.toHexString(time.getEpochSecond()) + "." + Integer.toHexString(time.getNano()) + "-"
                + Long.toHexString(size) + suffix + "\"";
    }

    /**
     * Reads {@code length} bytes at {@code position}; the caller owns the result.
     *
     * @return null if the file has become shorter
     */
    @Nullable ByteBuf read(long position, int length, ByteBufAllocator allocator) throws IOException {
        ByteBuf buffer = allocator.directBuffer(length, length);
        try {
            while (buffer.isWritable()) {
                int count = buffer.writeBytes(channel, position + buffer.writerIndex(), buffer.writableBytes());
                if (count <= 0) {
                    return null;
                }
            }
            ByteBuf complete = buffer;
            buffer = null;
            return complete;
        } finally {
            if (buffer != null) {
                buffer.release();
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
