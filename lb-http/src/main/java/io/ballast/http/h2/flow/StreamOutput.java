package io.ballast.http.h2.flow;

import static java.util.Objects.requireNonNull;

import io.ballast.http.h1.wire.ChunkReader;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.h2.wire.HeaderLinesEncoder;
import io.ballast.http.h2.wire.Priority;
import io.ballast.http.head.BodyFraming;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A body on its way to the peer, as far as the windows of stream and connection allow; the rest waits here, and with it the
 * side that it comes from. Event-loop confined.
 */
public final class StreamOutput {

    /** Whose stream it is. */
    public interface Owner {

        /** The windows allow more: sends it; false if some of it must still wait for the connection. */
        boolean resume();
    }

    private static final int LEAST_BYTES = 1024;

    private final SendFlow flow;
    private final Owner owner;
    private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>();
    /** Takes the chunks off the body; null if it comes in none. */
    private @Nullable ChunkReader chunks;
    /** For bodies in chunks, one after the other; null before the first. */
    private @Nullable ChunkReader reader;

    private int stream;
    private int priority = Priority.DEFAULT;
    private long window;
    private int queuedBytes;
    private long sentBytes;
    private long left;
    private boolean ended;
    private boolean endSent;
    private boolean listed;
    private byte @Nullable [] trailers;

    public StreamOutput(SendFlow flow, Owner owner) {
        this.flow = flow;
        this.owner = owner;
    }

    /** A stream begins, with this window. */
    public void begin(int id, int initial) {
        stream = id;
        window = initial;
        sentBytes = 0;
        queuedBytes = 0;
        ended = false;
        endSent = false;
        chunks = null;
        trailers = null;
        left = Long.MAX_VALUE;
    }

    /** How urgent it is: see {@link Priority}. Stays until it is said again, also when another stream begins. */
    public void priority(int value) {
        priority = value;
    }

    /** Whether it is its turn before that of {@code other}, which was there first. */
    boolean goesBefore(StreamOutput other) {
        if (priority != other.priority) {
            return priority < other.priority;
        }
        return !Priority.isIncremental(priority) && stream < other.stream;
    }

    /**
     * Sends the head.
     *
     * @param framing in what form the body will be given; chunks are taken off
     * @param length of a body whose length is known
     */
    public void head(HeaderBlock block, BodyFraming framing, long length) {
        boolean last = framing == BodyFraming.NONE || (framing == BodyFraming.LENGTH && length == 0);
        chunks = framing == BodyFraming.CHUNKED ? reader() : null;
        left = framing == BodyFraming.LENGTH ? length : Long.MAX_VALUE;
        sentBytes += flow.frames().headers(stream, block, last);
        ended |= last;
        endSent |= last;
    }

    private ChunkReader reader() {
        ChunkReader own = reader;
        if (own == null) {
            own = new ChunkReader(this::push);
            reader = own;
        }
        own.reset();
        return own;
    }

    /** Sends a head that is not the last one. */
    public void informational(HeaderBlock block) {
        sentBytes += flow.frames().headers(stream, block, /* endsStream= */ false);
    }

    /** Sends {@code data}, which it consumes, or has it wait. */
    public void add(ByteBuf data) {
        if (chunks == null) {
            push(data);
            return;
        }
        chunks.read(data);
        data.release();
    }

    private void push(ByteBuf piece) {
        if (!piece.isReadable() || endSent) {
            piece.release();
            return;
        }
        left -= piece.readableBytes();
        ended |= left == 0;
        if (queue.isEmpty()) {
            send(piece);
            if (!piece.isReadable()) {
                piece.release();
                return;
            }
        }
        queue.add(piece);
        queuedBytes += piece.readableBytes();
        flow.await(this);
    }

    /** Lines to send behind a body that is not in chunks. */
    public void trailers(byte[] lines) {
        trailers = lines;
    }

    /** All of the body was given. */
    public void end() {
        ended = true;
        if (queue.isEmpty()) {
            finish();
        }
    }

    /** Sends what waits, as far as that is allowed now; false if some of it must wait for the connection. */
    public boolean pump() {
        while (!queue.isEmpty()) {
            ByteBuf piece = requireNonNull(queue.peek());
            int before = piece.readableBytes();
            boolean last = queue.size() == 1;
            queue.poll();
            send(piece);
            queuedBytes -= before - piece.readableBytes();
            if (piece.isReadable()) {
                queue.addFirst(piece);
                return window <= 0;
            }
            piece.release();
            if (last) {
                break;
            }
        }
        if (ended) {
            finish();
        }
        return true;
    }

    /**
     * Whether it is better to wait a moment until more may go out than {@code allowed}: a peer that opens its windows for each frame
     * would have the same small frame for ever (RFC 1122 section 4.2.3.4, for the same in TCP). What is half of its first
     * window is never too small.
     */
    private boolean isTooSmall(long allowed, int wanted) {
        return allowed < wanted && allowed < LEAST_BYTES && 2 * allowed < flow.firstWindow();
    }

    /** Sends of {@code piece} what the windows allow. The last octet of the body ends the stream. */
    private void send(ByteBuf piece) {
        while (piece.isReadable() && window > 0) {
            int length = flow.mayFrame((int) Math.min(window, piece.readableBytes()));
            if (length == 0) {
                return;
            }
            if (isTooSmall(length, piece.readableBytes()) && flow.hesitates()) {
                return;
            }
            boolean last = ended && left == 0 && queue.isEmpty() && length == piece.readableBytes();
            flow.frames().data(stream, piece, length, last);
            flow.sent(length);
            window -= length;
            sentBytes += length;
            endSent |= last;
        }
    }

    private void finish() {
        if (endSent) {
            return;
        }
        endSent = true;
        byte[] lines = chunks == null ? trailers : chunks.trailers();
        if (lines == null) {
            flow.frames().endStream(stream);
        } else {
            HeaderBlock block = flow.block();
            block.clear();
            HeaderLinesEncoder.encode(lines, 0, lines.length, block);
            sentBytes += flow.frames().headers(stream, block, /* endsStream= */ true);
        }
    }

    Owner owner() {
        return owner;
    }

    /** Whether the connection knows that it waits. */
    public boolean isListed() {
        return listed;
    }

    void listed(boolean is) {
        listed = is;
    }

    /** Whether the peer has been sent the end of the stream. */
    public boolean isEndSent() {
        return endSent;
    }

    /** Whether more can be given without piling up. */
    public boolean isWritable() {
        return queuedBytes < flow.mostQueuedBytes() && flow.frames().isWritable();
    }

    public boolean isWaiting() {
        return !queue.isEmpty();
    }

    /** Whether it waits for the peer to open a window, its own or that of the connection. */
    public boolean isBlockedByPeer() {
        return !queue.isEmpty() && flow.frames().isWritable();
    }

    /** The window has become larger, or with a setting smaller; false if it is larger than one may be. */
    public boolean grow(long increment) {
        window += increment;
        return window <= Integer.MAX_VALUE;
    }

    public int heldBytes() {
        return queuedBytes;
    }

    /** Octets that the stream has sent, heads and bodies. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Lets go of what waits. */
    public void stop() {
        ByteBuf piece = queue.poll();
        while (piece != null) {
            piece.release();
            piece = queue.poll();
        }
        queuedBytes = 0;
        trailers = null;
        endSent = true;
    }
}
