package io.ballast.http.head;

import io.netty.buffer.ByteBuf;

/** The array into which heads are copied to be scanned; it grows to the largest head seen. Event-loop confined. */
public final class HeadBytes {

    private byte[] array = new byte[8 * 1024 + FieldScanner.SLACK];

    /** Copies the readable octets of {@code buffer}, {@code most} at most, to offset 0; returns the array. */
    public byte[] copy(ByteBuf buffer, int most) {
        int length = Math.min(buffer.readableBytes(), most);
        if (length + FieldScanner.SLACK > array.length) {
            array = new byte[Math.max(array.length * 2, length + FieldScanner.SLACK)];
        }
        buffer.getBytes(buffer.readerIndex(), array, 0, length);
        return array;
    }
}
