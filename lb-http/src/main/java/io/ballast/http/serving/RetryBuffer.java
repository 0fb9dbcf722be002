package io.ballast.http.serving;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.BackendSide;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The part of a request's body that was sent to a backend, kept up to a limit for a retry. Holds the buffers
 * themselves, not copies. Event-loop confined.
 */
public final class RetryBuffer {

    /**
     * Maximum number of buffered pieces. It limits memory, because each piece may retain a much larger buffer.
     */
    private static final int MAX_PIECES = 16;

    private @Nullable ByteBuf @Nullable [] pieces;
    private int count;
    private int bytes;
    private int maxBytes;
    private boolean started;
    private boolean whole;

    /** Resets the state for a new request. */
    void reset() {
        release();
        started = false;
        whole = true;
    }

    /** Whether any part of the body was sent. */
    public boolean hasStarted() {
        return started;
    }

    /** Whether all request data that was sent is still buffered. */
    public boolean isComplete() {
        return whole;
    }

    /** @param max the maximum number of bytes to keep */
    public void setMaxBytes(int max) {
        maxBytes = max;
    }

    /** Records that {@code data[from, from + length)} is sent; borrows {@code data}. */
    public void add(ByteBuf data, int from, int length) {
        started = true;
        if (!whole) {
            return;
        }
        if (bytes + length > maxBytes || count == MAX_PIECES) {
            release();
            whole = false;
            return;
        }
        if (pieces == null) {
            pieces = new @Nullable ByteBuf[MAX_PIECES];
        }
        pieces[count++] = data.retainedSlice(from, length);
        bytes += length;
    }

    /** The number of buffered bytes. */
    public int bytes() {
        return bytes;
    }

    /** Sends all buffered request data again. */
    public void sendAgain(BackendSide backend) {
        int kept = count; // pieces added during the loop are not sent twice
        for (int i = 0; i < kept && i < count; i++) {
            backend.send(requireNonNull(requireNonNull(pieces)[i]).retainedDuplicate());
        }
    }

    /** Releases the buffers; nothing can be sent again afterwards. */
    void release() {
        for (int i = 0; i < count; i++) {
            ByteBuf[] held = requireNonNull(pieces);
            requireNonNull(held[i]).release();
            held[i] = null;
        }
        count = 0;
        bytes = 0;
    }
}
