package io.ballast.dns.wire;

import java.util.Arrays;

/**
 * Stores many small byte sequences in a few arrays. A sequence is found by its address, is contiguous, and is
 * never moved. A name with its records needs tens of bytes, where objects would need hundreds.
 *
 * <p>Thread safety: filled by one thread; any thread may read a published arena.
 */
public final class ByteArena {

    /** The maximum length of one stored byte sequence, in bytes. */
    public static final int MAX_ENTRY_BYTES = 1 << 19;

    private static final int CHUNK_BITS = 20;
    private static final int CHUNK_BYTES = 1 << CHUNK_BITS;
    private static final int INITIAL_BYTES = 256;
    private static final int MAX_CHUNKS = 1 << (Integer.SIZE - 1 - CHUNK_BITS);

    private byte[][] chunks = {new byte[INITIAL_BYTES]};
    private int last;
    private int used;

    /**
     * Reserves space and returns its address, 0 or more.
     *
     * @param bytes number of bytes, at most {@link #MAX_ENTRY_BYTES}
     * @throws IllegalStateException if the arena would exceed 2 GiB
     */
    public int reserve(int bytes) {
        if (used + bytes > chunks[last].length) {
            grow(bytes);
        }
        int address = last << CHUNK_BITS | used;
        used += bytes;
        return address;
    }

    /** Adds the first {@code length} bytes of an array and returns their address. */
    public int add(byte[] bytes, int length) {
        int address = reserve(length);
        System.arraycopy(bytes, 0, chunk(address), offset(address), length);
        return address;
    }

    private void grow(int bytes) {
        // The first chunk grows up to its full size, so that a small zone uses little memory.
        if (last == 0 && used + bytes <= CHUNK_BYTES) {
            int size = Math.min(CHUNK_BYTES, Math.max(2 * chunks[0].length, used + bytes));
            chunks[0] = Arrays.copyOf(chunks[0], size);
            return;
        }
        if (last + 1 == MAX_CHUNKS) {
            throw new IllegalStateException("the zone data exceeds 2 GiB, the maximum of one process");
        }
        last++;
        if (last == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * last);
        }
        chunks[last] = new byte[CHUNK_BYTES];
        used = 0;
    }

    /** Releases the reserved space; nothing can be added afterwards. */
    public void trim() {
        chunks = Arrays.copyOf(chunks, last + 1);
        chunks[last] = Arrays.copyOf(chunks[last], used);
    }

    /**
     * Returns a copy in which all data keeps its addresses; more data can be added to it. Cost: copies all bytes.
     */
    public ByteArena copy() {
        ByteArena copy = new ByteArena();
        copy.chunks = new byte[chunks.length][];
        for (int i = 0; i <= last; i++) {
            boolean hasCapacity = last > 0 && i == last;
            copy.chunks[i] = Arrays.copyOf(chunks[i], hasCapacity ? CHUNK_BYTES : chunks[i].length);
        }
        copy.last = last;
        copy.used = used;
        return copy;
    }

    /** Returns the array that contains the data stored at {@code address}. */
    public byte[] chunk(int address) {
        return chunks[address >>> CHUNK_BITS];
    }

    /** Returns the offset, in its array, of the data stored at {@code address}. */
    public static int offset(int address) {
        return address & (CHUNK_BYTES - 1);
    }

    /** Returns the number of added bytes, without unused gaps. */
    public long bytes() {
        return ((long) last << CHUNK_BITS) + used;
    }
}
