package io.ballast.policy.cache.store;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A body of known length that clients can read while it is being received. The memory for the whole body is taken from
 * the budget of the store at the start, so that it cannot run out later. Thread safety: one thread adds, any thread
 * reads.
 */
public final class GrowingBody implements Recording {

    private final StoredBody body;
    /** The pieces of the body; each is null until its first byte is received. */
    private final byte[][] pieces;

    private final long announcedBytes;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    /** The number of bytes that readers can see; written after the bytes themselves. */
    private volatile long addedBytes;

    private volatile boolean broken;

    /** @param announcedBytes the length, at least 1, which the caller has taken from the budget */
    GrowingBody(MemoryBudget budget, long announcedBytes) {
        this.announcedBytes = announcedBytes;
        this.pieces = new byte[(int) ((announcedBytes - 1) / StoredBody.PIECE_BYTES + 1)][];
        this.body = new StoredBody(budget, pieces, announcedBytes, announcedBytes, this);
    }

    /** The body; the caller owns its first reference. */
    public StoredBody body() {
        return body;
    }

    @Override
    public boolean add(ByteBuffer data) {
        if (broken || addedBytes + data.remaining() > announcedBytes) {
            return false;
        }
        long position = addedBytes;
        while (data.hasRemaining()) {
            byte[] piece = piece(position);
            int offset = (int) (position % StoredBody.PIECE_BYTES);
            int part = Math.min(piece.length - offset, data.remaining());
            data.get(piece, offset, part);
            position += part;
        }
        addedBytes = position;
        wake();
        return true;
    }

    private byte[] piece(long position) {
        int index = (int) (position / StoredBody.PIECE_BYTES);
        byte[] piece = pieces[index];
        if (piece == null) { // these are the first bytes of the piece
            long rest = announcedBytes - (long) index * StoredBody.PIECE_BYTES;
            piece = new byte[(int) Math.min(StoredBody.PIECE_BYTES, rest)];
            pieces[index] = piece;
        }
        return piece;
    }

    @Override
    public long length() {
        return addedBytes;
    }

    /** Whether all announced bytes were added. */
    public boolean isComplete() {
        return addedBytes == announcedBytes;
    }

    @Override
    public void read(long position, ByteBuffer target) {
        int offset = (int) (position % StoredBody.PIECE_BYTES);
        byte[] piece = piece(position);
        long available = Math.min(piece.length - offset, addedBytes - position);
        target.put(piece, offset, (int) Math.min(available, target.remaining()));
    }

    /** Ends the body before it is complete. */
    public void fail() {
        broken = true;
        wake();
    }

    boolean isBroken() {
        return broken;
    }

    /** See {@link StoredBody#whenMore}. */
    void whenMore(long seenBytes, Runnable reader) {
        waiting.add(reader);
        if (addedBytes != seenBytes || broken) {
            wake(); // bytes were added before the reader was registered
        }
    }

    private void wake() {
        for (Runnable reader = waiting.poll(); reader != null; reader = waiting.poll()) {
            reader.run();
        }
    }
}
