package io.ballast.policy.cache.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A body of known or unknown length that is being received. Takes its memory from the budget of the store piece by
 * piece. Confined to one thread.
 */
public final class BodyRecording implements Recording {

    private final ResponseStore store;
    private final long expectedBytes;
    private final long maxBytes;
    private final List<byte[]> pieces = new ArrayList<>(1);
    private int lastFilled;
    private long length;
    private long takenBytes;
    private boolean failed;

    /**
     * @param expectedBytes the announced length; negative if unknown
     * @param maxBytes the maximum length
     */
    BodyRecording(ResponseStore store, long expectedBytes, long maxBytes) {
        this.store = store;
        this.maxBytes = maxBytes;
        this.expectedBytes = expectedBytes;
    }

    @Override
    public boolean add(ByteBuffer data) {
        if (failed || length + data.remaining() > maxBytes) {
            failed = true;
            return false;
        }
        while (data.hasRemaining()) {
            byte[] piece = writablePiece(data.remaining());
            if (piece == null) {
                failed = true;
                return false;
            }
            int part = Math.min(piece.length - lastFilled, data.remaining());
            data.get(piece, lastFilled, part);
            lastFilled += part;
            length += part;
        }
        return true;
    }

    private byte @Nullable [] writablePiece(int wanted) {
        byte[] last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
        if (last != null && lastFilled < last.length) {
            return last;
        }
        // Only the last piece may be short. If the length is unknown, the piece starts small and is replaced by a
        // longer one.
        if (last != null && last.length < StoredBody.PIECE_BYTES) {
            return grow(last, wanted);
        }
        int bytes = (int) Math.min(StoredBody.PIECE_BYTES, Math.max(expectedBytes - length, wanted));
        byte[] piece = allocate(bytes);
        if (piece != null) {
            pieces.add(piece);
            lastFilled = 0;
        }
        return piece;
    }

    private byte @Nullable [] grow(byte[] last, int wanted) {
        int bytes = Math.min(StoredBody.PIECE_BYTES, Math.max(2 * last.length, last.length + wanted));
        byte[] longer = allocate(bytes);
        if (longer != null) {
            System.arraycopy(last, 0, longer, 0, last.length);
            pieces.set(pieces.size() - 1, longer);
            takenBytes -= last.length;
            store.budget().give(last.length);
        }
        return longer;
    }

    private byte @Nullable [] allocate(int bytes) {
        if (!store.take(bytes)) {
            return null;
        }
        takenBytes += bytes;
        return new byte[bytes];
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public void read(long position, ByteBuffer target) {
        byte[] piece = pieces.get((int) (position / StoredBody.PIECE_BYTES));
        int offset = (int) (position % StoredBody.PIECE_BYTES);
        long available = Math.min(piece.length - offset, length - position);
        target.put(piece, offset, (int) Math.min(available, target.remaining()));
    }

    /**
     * Ends the recording; the caller owns the body, and may still call {@link #read}. Must not be called after {@link
     * #add} returned false.
     */
    public StoredBody finish() {
        StoredBody body =
                new StoredBody(store.budget(), pieces.toArray(byte[][]::new), length, takenBytes, /* growing= */ null);
        takenBytes = 0;
        failed = true;
        return body;
    }

    /** Releases all memory; nothing can be read afterwards. */
    public void discard() {
        failed = true;
        store.budget().give(takenBytes);
        takenBytes = 0;
        pieces.clear();
    }
}
