package io.ballast.http.h2.flow;

import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.h2.wire.Preface;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to a connection. Collects small frames in one buffer and flushes once per turn of the event loop.
 * Event-loop confined.
 */
public final class FrameOutput {

    /** The connection to write to. */
    public interface ByteSink {

        /** Queues {@code data}; consumes it. */
        void write(ByteBuf data);

        void flush();

        boolean isWritable();

        /** The number of bytes that were queued but not yet written to the socket. */
        long pendingBytes();
    }

    /** Maximum size of data that is copied to the batch buffer; larger buffers are written without a copy. */
    public static final int COPIED_BYTES = 4096;

    private static final int BATCH_BYTES = 16 * 1024;

    private final ByteSink channel;
    private final ByteBufAllocator allocator;
    private final EventLoop eventLoop;
    private final byte[] scratch;
    private final Runnable flushing = this::flush;
    private @Nullable ByteBuf batch;
    private boolean flushScheduled;
    private boolean tableSizeUpdatePending;

    /** @param scratch a temporary buffer of {@link #COPIED_BYTES} bytes, which connections of one loop may share */
    public FrameOutput(ByteSink channel, ByteBufAllocator allocator, EventLoop eventLoop, byte[] scratch) {
        this.channel = channel;
        this.allocator = allocator;
        this.eventLoop = eventLoop;
        this.scratch = scratch;
    }

    /**
     * Records that the peer has reduced the maximum size of its HPACK table. The next header block must
     * acknowledge the new size (RFC 9113 section 4.3.1).
     */
    public void peerTableReduced() {
        tableSizeUpdatePending = true;
    }

    /** Sends a header block, with CONTINUATION frames if necessary; returns the number of bytes sent. */
    public int headers(int stream, HeaderBlock block, boolean endsStream) {
        int sent = 0;
        int type = Frame.HEADERS;
        int flags = endsStream ? Frame.END_STREAM : 0;
        int bytes = 0;
        do {
            int extra = tableSizeUpdatePending ? 1 : 0;
            int length = Math.min(Frame.MAX_PAYLOAD_BYTES - extra, block.length() - sent);
            boolean last = sent + length == block.length();
            ByteBuf out = begin(extra + length, type, flags | (last ? Frame.END_HEADERS : 0), stream, extra + length);
            if (tableSizeUpdatePending) {
                out.writeByte(HeaderBlock.TABLE_SIZE_ZERO);
                tableSizeUpdatePending = false;
            }
            out.writeBytes(block.bytes(), sent, length);
            sent += length;
            bytes += Frame.HEADER_BYTES + extra + length;
            type = Frame.CONTINUATION;
            flags = 0;
        } while (sent < block.length());
        return bytes;
    }

    /** Sends {@code length} bytes of {@code data} and advances its reader index; the caller keeps ownership. */
    public void data(int stream, ByteBuf data, int length, boolean endsStream) {
        int flags = endsStream ? Frame.END_STREAM : 0;
        if (length <= COPIED_BYTES) {
            ByteBuf out = begin(length, Frame.DATA, flags, stream, length);
            copy(data, length, out);
            return;
        }
        begin(length, Frame.DATA, flags, stream, 0);
        writeBatch();
        channel.write(data.readRetainedSlice(length));
    }

    /**
     * Copies through an array, because Netty would allocate ByteBuffers to copy between direct buffers or from a slice.
     */
    private void copy(ByteBuf data, int length, ByteBuf out) {
        data.readBytes(scratch, 0, length);
        out.writeBytes(scratch, 0, length);
    }

    public void endStream(int stream) {
        begin(0, Frame.DATA, Frame.END_STREAM, stream, 0);
    }

    public void reset(int stream, ErrorCode code) {
        begin(Frame.CODE_BYTES, Frame.RST_STREAM, 0, stream, Frame.CODE_BYTES).writeInt(code.ordinal());
    }

    public void windowUpdate(int stream, int increment) {
        begin(Frame.CODE_BYTES, Frame.WINDOW_UPDATE, 0, stream, Frame.CODE_BYTES)
                .writeInt(increment);
    }

    /** @param pairs identifiers and values, alternating */
    public void settings(int... pairs) {
        int length = pairs.length / 2 * (Short.BYTES + Integer.BYTES);
        ByteBuf out = begin(length, Frame.SETTINGS, 0, 0, length);
        for (int i = 0; i < pairs.length; i += 2) {
            out.writeShort(pairs[i]).writeInt(pairs[i + 1]);
        }
    }

    public void settingsAck() {
        begin(0, Frame.SETTINGS, Frame.ACK, 0, 0);
    }

    /** Sends a PING, to which the peer must reply. */
    public void ping(long payload) {
        begin(Frame.PING_BYTES, Frame.PING, 0, 0, Frame.PING_BYTES).writeLong(payload);
    }

    public void pingAck(long payload) {
        begin(Frame.PING_BYTES, Frame.PING, Frame.ACK, 0, Frame.PING_BYTES).writeLong(payload);
    }

    public void goAway(int lastStream, ErrorCode code) {
        int length = Integer.BYTES + Frame.CODE_BYTES;
        begin(length, Frame.GOAWAY, 0, 0, length).writeInt(lastStream).writeInt(code.ordinal());
    }

    private ByteBuf begin(int length, int type, int flags, int stream, int room) {
        ByteBuf out = room(Frame.HEADER_BYTES + room);
        out.writeMedium(length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        return out;
    }

    private ByteBuf room(int bytes) {
        ByteBuf current = batch;
        if (current != null && current.writableBytes() >= bytes) {
            return current;
        }
        writeBatch();
        ByteBuf next = allocator.directBuffer(Math.max(BATCH_BYTES, bytes), Math.max(BATCH_BYTES, bytes));
        batch = next;
        return next;
    }

    /** Writes the batch buffer to the channel. */
    private void writeBatch() {
        ByteBuf gathered = batch;
        if (gathered != null) {
            batch = null;
            channel.write(gathered);
        }
    }

    /** Sends the client connection preface. */
    public void preface() {
        room(Preface.LENGTH).writeBytes(Preface.bytes());
    }

    /** Schedules a flush at the end of the current iteration of the event loop. */
    public void flushSoon() {
        if (!flushScheduled) {
            flushScheduled = true;
            eventLoop.execute(flushing);
        }
    }

    /** Flushes all pending frames now. */
    public void flush() {
        flushScheduled = false;
        writeBatch();
        channel.flush();
    }

    public boolean isWritable() {
        return channel.isWritable();
    }

    /** The number of bytes that were not yet written to the socket. */
    public long pendingBytes() {
        return channel.pendingBytes() + (batch == null ? 0 : batch.readableBytes());
    }

    /** Releases the batch buffer. */
    public void release() {
        if (batch != null) {
            batch.release();
            batch = null;
        }
    }
}
