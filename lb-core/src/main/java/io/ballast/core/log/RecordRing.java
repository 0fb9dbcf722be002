package io.ballast.core.log;

import io.ballast.core.Checks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A bounded queue of records of different lengths between one producer and one consumer, stored in one
 * circular array. Each record is contiguous. A record that does not fit at the end of the array is stored at
 * the beginning, and a skip mark fills the rest. A record of up to half the capacity always fits when the
 * queue is empty.
 *
 * <pre>
 *   | record 4 | free …       | record 2 | record 3 | skip |
 *              ▲ written      ▲ read
 * </pre>
 *
 * <p>Thread safety: only the producer calls {@link #claim}, {@code put…} and {@link #commit}; only the
 * consumer calls {@link #peek} and {@link #release}. A record becomes visible with all its content when it is
 * committed. Cost: no lock, and no allocation after construction.
 */
public final class RecordRing {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle POSITIONS = MethodHandles.arrayElementVarHandle(long[].class);

    /**
     * Indexes of the write position and the read position in {@code positions}. They are far apart, so that
     * producer and consumer do not share a cache line.
     */
    private static final int WRITTEN = 16;

    private static final int READ = 48;

    private static final int ALIGNMENT = 8;
    private static final int LENGTH_BYTES = 8;
    private static final int SKIP = -1;

    private final byte[] bytes;
    private final int mask;
    private final long[] positions = new long[64];

    // fields that only the producer uses
    private long knownRead;
    private long base;
    private int start;
    private int cursor;

    // fields that only the consumer uses
    private int recordOffset;
    private int recordLength;

    /** @param capacity the capacity in bytes; a power of two */
    public RecordRing(int capacity) {
        Checks.that(Integer.bitCount(capacity) == 1, "capacity", capacity, "a power of two");
        bytes = new byte[capacity];
        mask = capacity - 1;
    }

    /** Reserves space for a record of at most {@code maxBytes}; returns false if there is not enough space. */
    public boolean claim(int maxBytes) {
        int max = aligned(LENGTH_BYTES + maxBytes);
        long written = positions[WRITTEN];
        int at = (int) written & mask;
        int toEnd = bytes.length - at;
        int needed = max > toEnd ? toEnd + max : max;
        if (bytes.length - (written - knownRead) < needed) {
            knownRead = (long) POSITIONS.getAcquire(positions, READ);
            if (bytes.length - (written - knownRead) < needed) {
                return false;
            }
        }
        if (max > toEnd) {
            INTS.set(bytes, at, SKIP);
            written += toEnd;
            at = 0;
        }
        base = written;
        start = at;
        cursor = at + LENGTH_BYTES;
        return true;
    }

    public void putLong(long value) {
        LONGS.set(bytes, cursor, value);
        cursor += Long.BYTES;
    }

    public void putInt(int value) {
        INTS.set(bytes, cursor, value);
        cursor += Integer.BYTES;
    }

    public void putBytes(byte[] source, int length) {
        System.arraycopy(source, 0, bytes, cursor, length);
        cursor += length;
    }

    /** Publishes the record, and the marker for space that was skipped before it. */
    public void commit() {
        INTS.set(bytes, start, cursor - start - LENGTH_BYTES);
        POSITIONS.setRelease(positions, WRITTEN, base + aligned(cursor - start));
    }

    /** Returns whether the queue is at least half full, so that the consumer should read soon. */
    public boolean isHalfFull() {
        if (positions[WRITTEN] - knownRead <= bytes.length / 2) {
            return false;
        }
        knownRead = (long) POSITIONS.getAcquire(positions, READ);
        return positions[WRITTEN] - knownRead > bytes.length / 2;
    }

    /** Reads the oldest record; {@link #offset} and {@link #length} then return its position. */
    public boolean peek() {
        long read = positions[READ];
        long written = (long) POSITIONS.getAcquire(positions, WRITTEN);
        if (read == written) {
            return false;
        }
        int at = (int) read & mask;
        if ((int) INTS.get(bytes, at) == SKIP) {
            POSITIONS.setRelease(positions, READ, read + bytes.length - at);
            at = 0;
        }
        recordOffset = at + LENGTH_BYTES;
        recordLength = (int) INTS.get(bytes, at);
        return true;
    }

    /** The array that contains the current record. Must not be modified. */
    public byte[] bytes() {
        return bytes;
    }

    public int offset() {
        return recordOffset;
    }

    public int length() {
        return recordLength;
    }

    public static long longAt(byte[] bytes, int offset) {
        return (long) LONGS.get(bytes, offset);
    }

    public static int intAt(byte[] bytes, int offset) {
        return (int) INTS.get(bytes, offset);
    }

    /** Releases the space of the record that was read. */
    public void release() {
        POSITIONS.setRelease(positions, READ, positions[READ] + aligned(LENGTH_BYTES + recordLength));
    }

    private static int aligned(int length) {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
