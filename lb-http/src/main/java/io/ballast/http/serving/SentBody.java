package io.ballast.http.serving;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.BackendSide;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a backend got of a request's body, kept up to a bound so that another one can get it too: the buffers themselves,
 * not copies. Event-loop confined.
 */
public final class SentBody {

    /** A body that comes in more pieces is not kept: each piece may hold on to a much larger buffer. */
    private static final int MOST_PIECES = 16;

    private @Nullable ByteBuf @Nullable [] pieces;
    private int count;
    private int bytes;
    private int mostBytes;
    private boolean begun;
    private boolean whole;

    /** A request begins. */
    void reset() {
        release();
        begun = false;
        whole = true;
    }

    /** Whether some of the body was handed over. */
    public boolean hasBegun() {
        return begun;
    }

    /** Whether all that was handed over is here. */
    public boolean isWhole() {
        return whole;
    }

    /** @param most how many octets to keep at most */
    public void keepUpTo(int most) {
        mostBytes = most;
    }

    /** {@code data[from, from + length)} is handed over; borrows {@code data}. */
    public void add(ByteBuf data, int from, int length) {
        begun = true;
        if (!whole) {
            return;
        }
        if (bytes + length > mostBytes || count == MOST_PIECES) {
            release();
            whole = false;
            return;
        }
        if (pieces == null) {
            pieces = new @Nullable ByteBuf[MOST_PIECES];
        }
        pieces[count++] = data.retainedSlice(from, length);
        bytes += length;
    }

    /** How many octets are kept. */
    public int bytes() {
        return bytes;
    }

    /** Hands all of it over once more. */
    public void sendAgain(BackendSide backend) {
        int kept = count; // what is sent meanwhile is not sent twice
        for (int i = 0; i < kept && i < count; i++) {
            backend.send(requireNonNull(requireNonNull(pieces)[i]).retainedDuplicate());
        }
    }

    /** Lets go of the buffers. Nothing can be sent again after that. */
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
