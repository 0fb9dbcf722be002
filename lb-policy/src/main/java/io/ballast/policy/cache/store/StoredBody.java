package io.ballast.policy.cache.store;

import org.jspecify.annotations.Nullable;

/**
 * The body of a response in pieces on the Java heap. Its memory counts against the limit until the last reference is
 * released, so that clients that read slowly cannot hold more than the limit. The body may still be growing. Thread
 * safety: the available content does not change; any thread may read, retain and release.
 */
public final class StoredBody {

    /** The length of each piece but the last. */
    public static final int PIECE_BYTES = 64 * 1024;

    private final MemoryBudget budget;
    private final byte[][] pieces;
    private final long length;
    private final long takenBytes;
    /** Receives the body; null if the body was complete from the start. */
    private final @Nullable GrowingBody growing;

    private final ReferenceCount references = new ReferenceCount();

    /**
     * @param takenBytes the bytes that were taken from the budget for the body
     * @param growing receives the body; null if it is complete
     */
    StoredBody(MemoryBudget budget, byte[][] pieces, long length, long takenBytes, @Nullable GrowingBody growing) {
        this.budget = budget;
        this.pieces = pieces;
        this.length = length;
        this.takenBytes = takenBytes;
        this.growing = growing;
    }

    /** The length of the whole body. */
    public long length() {
        return length;
    }

    /** The number of bytes that can be read now. */
    public long availableBytes() {
        return growing == null ? length : growing.length();
    }

    /** Whether the body has ended before it was complete. */
    public boolean isBroken() {
        return growing != null && growing.isBroken();
    }

    /**
     * Calls a reader once when more than {@code seenBytes} bytes are available or the body is broken. Any thread may
     * make the call, possibly before this method returns, and sometimes although neither is true. Does nothing if the
     * body was complete from the start.
     */
    public void whenMore(long seenBytes, Runnable reader) {
        if (growing != null) {
            growing.whenMore(seenBytes, reader);
        }
    }

    /** The piece at an index. It must not be modified, and only its available bytes may be read. */
    public byte[] piece(int index) {
        return pieces[index];
    }

    long takenBytes() {
        return takenBytes;
    }

    /** Adds a reference; returns false if none was left. */
    boolean retain() {
        return references.retain();
    }

    /** Removes a reference; the last one frees the memory. */
    void release() {
        if (references.release()) {
            budget.give(takenBytes);
        }
    }
}
