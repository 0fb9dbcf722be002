package io.ballast.http.head;

import io.netty.buffer.ByteBuf;

/** A scratch array into which heads are copied for scanning; it grows to the largest head seen. Event-loop confined. */
public final class HeadBytes {

    private byte[] array = new byte[8 * 1024 + FieldScanner.SLACK];

    /** Copies the readable bytes of {@code buffer}, at most {@code max}, to offset 0; returns the array. */
    public byte[] copy(ByteBuf buffer, int max) {
        int length = Math.min(buffer.readableBytes(), max);
        if (length + FieldScanner.SLACK > array.length) {
            array = new byte[Math.max(array.length * 2, length + FieldScanner.SLACK)];
        }
        buffer.getBytes(buffer.readerIndex(), array, 0, length);
        return array;
    }
}
