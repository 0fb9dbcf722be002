package io.ballast.policy.cache.store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The body of a response in pieces on the Java heap. Its memory counts until the last user has released it, so that clients
 * that read slowly cannot hold more than the limit. Thread safety: the content does not change; any thread may retain and
 * release.
 */
public final class StoredBody {

    /** The length of each piece but the last. */
    public static final int PIECE_BYTES = 64 * 1024;

    private final MemoryBudget budget;
    private final byte[][] pieces;
    private final long length;
    private final long takenBytes;
    private final AtomicInteger users = new AtomicInteger(1);

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

    /** Adds a user; false if there was none any more. */
    boolean retain() {
        int before = users.get();
        while (before > 0) {
            if (users.compareAndSet(before, before + 1)) {
                return true;
            }
            before = users.get();
        }
        return false;
    }

    /** Removes a user. */
    void release() {
        if (users.decrementAndGet() == 0) {
            budget.give(takenBytes);
        }
    }
}
