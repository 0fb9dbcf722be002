package io.ballast.policy.cache.store;

/**
 * The body of a response in pieces on the Java heap. Its memory counts against the limit until the last reference is
 * released, so that clients that read slowly cannot hold more than the limit. Thread safety: the content does not change; any thread may retain and
 * release.
 */
public final class StoredBody {

    /** The length of each piece but the last. */
    public static final int PIECE_BYTES = 64 * 1024;

    private final MemoryBudget budget;
    private final byte[][] pieces;
    private final long length;
    private final long takenBytes;
    private final ReferenceCount references = new ReferenceCount();

    /** @param takenBytes the bytes that were taken from the budget for the body */
    StoredBody(MemoryBudget budget, byte[][] pieces, long length, long takenBytes) {
        this.budget = budget;
        this.pieces = pieces;
        this.length = length;
        this.takenBytes = takenBytes;
    }

    public long length() {
        return length;
    }

    /** The piece at an index; only its first bytes up to the length of the body are used. Must not be modified. */
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
