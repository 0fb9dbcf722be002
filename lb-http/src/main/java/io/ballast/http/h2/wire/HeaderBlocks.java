package io.ballast.http.h2.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The header blocks of a connection, one after the other, put together from the frames that they come in and decoded.
 * Event-loop confined.
 */
public final class HeaderBlocks {

    /** A block may be larger than the fields that are allowed, so that these can be refused by a response. */
    private static final int ROOM = 2;
    /** One frame more than a head of the allowed size needs is no good sign; many are an attack (CVE-2024-27316). */
    private static final int MOST_FRAMES = 16;

    /** A connection that sent a large block once does not keep the room for another one. */
    private static final int KEPT_BYTES = 4096;

    private final HpackDecoder decoder = new HpackDecoder();
    private final int mostBytes;
    private byte[] partial = {};
    private int length;
    private int stream;
    private int frames;
    private boolean open;
    private boolean endsStream;

    /** @param headBytes how long a head may be */
    public HeaderBlocks(int headBytes) {
        this.mostBytes = Math.max(headBytes * ROOM, 64 * 1024);
    }

    /** Whether a block has begun whose end has not come. */
    public boolean isOpen() {
        return open;
    }

    public int stream() {
        return stream;
    }

    /** Whether the block is the last of its stream's frames. */
    public boolean endsStream() {
        return endsStream;
    }

    /** A block begins; false if it is too large. */
    public boolean begin(int number, boolean last, ByteBuf source, int at, int count) {
        stream = number;
        endsStream = last;
        open = true;
        frames = 0;
        length = 0;
        return add(source, at, count);
    }

    /** More of it came; false if it is too much. */
    public boolean add(ByteBuf source, int at, int count) {
        if (length + count > mostBytes || ++frames > MOST_FRAMES) {
            return false;
        }
        if (partial.length < length + count) {
            partial = Arrays.copyOf(length == 0 ? new byte[0] : partial, Math.max(512, length + count));
        }
        source.getBytes(at, partial, length, count);
        length += count;
        return true;
    }

    /** Decodes the block, which is whole; false if it is at fault. */
    public boolean decode(HpackDecoder.Sink sink) {
        open = false;
        boolean good = decoder.decode(partial, 0, length, sink);
        length = 0;
        if (partial.length > KEPT_BYTES) {
            partial = new byte[0];
        }
        return good;
    }

    public int heldBytes() {
        return length;
    }

    public void release() {
        partial = new byte[0];
        length = 0;
        open = false;
    }
}
