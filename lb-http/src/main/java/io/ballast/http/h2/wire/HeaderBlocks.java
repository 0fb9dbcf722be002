package io.ballast.http.h2.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Assembles the header blocks of a connection from HEADERS and CONTINUATION frames, and decodes them. Event-loop
 * confined.
 */
public final class HeaderBlocks {

    /**
     * Factor by which a block may exceed the head limit. A head that is slightly too large can then still be
     * decoded and answered with an error response.
     */
    private static final int ROOM = 2;
    /** Maximum number of frames in a block; more frames indicate an attack (CVE-2024-27316). */
    private static final int MAX_FRAMES = 16;

    /** Buffer size that is kept after a block; larger buffers are dropped. */
    private static final int RETAINED_BYTES = 4096;

    private final HpackDecoder decoder = new HpackDecoder();
    private final int maxBytes;
    private byte[] partial = {};
    private int length;
    private int stream;
    private int frames;
    private boolean open;
    private boolean endsStream;

    /** @param headBytes maximum size of a head in bytes */
    public HeaderBlocks(int headBytes) {
        this.maxBytes = Math.max(headBytes * ROOM, 64 * 1024);
    }

    /** Whether a block has started and not ended. */
    public boolean isOpen() {
        return open;
    }

    public int stream() {
        return stream;
    }

    /** Whether the block ends its stream. */
    public boolean endsStream() {
        return endsStream;
    }

    /** Starts a block; false if it is too large. */
    public boolean begin(int number, boolean last, ByteBuf source, int at, int count) {
        stream = number;
        endsStream = last;
        open = true;
        frames = 0;
        length = 0;
        return add(source, at, count);
    }

    /** Adds a fragment; false if the block has become too large or has too many frames. */
    public boolean add(ByteBuf source, int at, int count) {
        if (length + count > maxBytes || ++frames > MAX_FRAMES) {
            return false;
        }
        if (partial.length < length + count) {
            partial = Arrays.copyOf(length == 0 ? new byte[0] : partial, Math.max(512, length + count));
        }
        source.getBytes(at, partial, length, count);
        length += count;
        return true;
    }

    /** Decodes the complete block; false if it is invalid. */
    public boolean decode(HpackDecoder.Sink sink) {
        open = false;
        boolean good = decoder.decode(partial, 0, length, sink);
        length = 0;
        if (partial.length > RETAINED_BYTES) {
            partial = new byte[0];
        }
        return good;
    }

    public int bufferedBytes() {
        return length;
    }

    public void release() {
        partial = new byte[0];
        length = 0;
        open = false;
    }
}
