package io.ballast.http.serving;

import io.ballast.http.head.FieldScanner;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The ranges of a scanned head that are not forwarded. Ranges must be added in ascending order; adjacent
 * ranges are merged. Event-loop confined.
 */
public final class ExcludedRanges implements FieldScanner.RangeRecipient {

    private int[] from = new int[16];
    private int[] to = new int[16];
    private int count;
    private int bytes;

    public void reset() {
        count = 0;
        bytes = 0;
    }

    @Override
    public void add(int start, int end) {
        bytes += end - start;
        if (count > 0 && to[count - 1] == start) {
            to[count - 1] = end;
            return;
        }
        if (count == from.length) {
            from = Arrays.copyOf(from, count * 2);
            to = Arrays.copyOf(to, count * 2);
        }
        from[count] = start;
        to[count] = end;
        count++;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** The number of excluded bytes. */
    public int bytes() {
        return bytes;
    }

    /** Appends {@code source[start, end)} without the excluded ranges to {@code target}. */
    public void write(byte[] source, int start, int end, ByteBuf target) {
        int position = start;
        for (int i = 0; i < count; i++) {
            target.writeBytes(source, position, from[i] - position);
            position = to[i];
        }
        target.writeBytes(source, position, end - position);
    }
}
