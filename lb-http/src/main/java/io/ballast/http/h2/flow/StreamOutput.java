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
 * Sends the body of a stream within the windows of the stream and the connection. Queues data that cannot be sent yet,
 * and applies back-pressure to the source. Event-loop confined.
 */
public final class StreamOutput {

    /** The owner of the stream. */
    public interface Owner {

        /** Sends queued data after the windows have grown; false if the stream must still wait for the connection. */
        boolean resume();
    }

    private static final int MIN_BYTES = 1024;

    private final SendFlow flow;
    private final Owner owner;
    private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>();
    /** The reader that removes the chunked coding; null if the body is not chunked. */
    private @Nullable ChunkReader chunks;
    /** Reused reader for chunked bodies; null until the first chunked body. */
    private @Nullable ChunkReader reader;

    private int stream;
    private int priority = Priority.DEFAULT;
    private long window;
    private int queuedBytes;
    private long sentBytes;
    private long remainingBytes;
    private boolean ended;
    private boolean endSent;
    private boolean queued;
    private byte @Nullable [] trailers;

    public StreamOutput(SendFlow flow, Owner owner) {
        this.flow = flow;
        this.owner = owner;
    }

    /** Starts a stream with the given send window. */
    public void begin(int id, int initial) {
        stream = id;
        window = initial;
        sentBytes = 0;
        queuedBytes = 0;
        ended = false;
        endSent = false;
        chunks = null;
        trailers = null;
        remainingBytes = Long.MAX_VALUE;
    }

    /** Sets the {@link Priority}. Later streams that reuse this object keep the priority until it is set again. */
    public void priority(int value) {
        priority = value;
    }

    /** Whether this stream is served before {@code other}, which was queued earlier. */
    boolean precedes(StreamOutput other) {
        if (priority != other.priority) {
            return priority < other.priority;
        }
        return !Priority.isIncremental(priority) && stream < other.stream;
    }

    /** Sends the head. */
    public void head(HeaderBlock block, BodyFraming framing, long length) {
        boolean last = framing == BodyFraming.NONE || (framing == BodyFraming.LENGTH && length == 0);
        chunks = framing == BodyFraming.CHUNKED ? reader() : null;
        remainingBytes = framing == BodyFraming.LENGTH ? length : Long.MAX_VALUE;
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

    /** Sends an informational head; another head follows. */
    public void sendInformational(HeaderBlock block) {
        sentBytes += flow.frames().headers(stream, block, /* endsStream= */ false);
    }

    /** Sends or queues {@code data}; takes ownership. */
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
        remainingBytes -= piece.readableBytes();
        ended |= remainingBytes == 0;
        if (queue.isEmpty()) {
            send(piece);
            if (!piece.isReadable()) {
                piece.release();
                return;
            }
        }
        queue.add(piece);
        queuedBytes += piece.readableBytes();
        flow.enqueue(this);
    }

    /** Sets the trailers of a body that is not chunked. */
    public void trailers(byte[] lines) {
        trailers = lines;
    }

    /** Marks the body as complete. */
    public void end() {
        ended = true;
        if (queue.isEmpty()) {
            finish();
        }
    }

    /** Sends queued data within the windows; false if the stream must still wait for the connection. */
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
     * Whether to wait instead of sending only {@code allowed} bytes. A peer that updates its window for each
     * frame would otherwise get small frames forever (the silly window syndrome of TCP, RFC 1122 section
     * 4.2.3.4). A frame of at least half the initial window is always sent.
     */
    private boolean isTooSmall(long allowed, int wanted) {
        return allowed < wanted && allowed < MIN_BYTES && 2 * allowed < flow.initialWindow();
    }

    /** Sends as much of {@code piece} as the windows allow. The last byte of the body ends the stream. */
    private void send(ByteBuf piece) {
        while (piece.isReadable() && window > 0) {
            int length = flow.sendableBytes((int) Math.min(window, piece.readableBytes()));
            if (length == 0) {
                return;
            }
            if (isTooSmall(length, piece.readableBytes()) && flow.mustDelaySmallFrame()) {
                return;
            }
            boolean last = ended && remainingBytes == 0 && queue.isEmpty() && length == piece.readableBytes();
            flow.frames().data(stream, piece, length, last);
            flow.recordSent(length);
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

    /** Whether the stream is in the queue of {@link SendFlow}. */
    public boolean isQueued() {
        return queued;
    }

    void queued(boolean is) {
        queued = is;
    }

    /** Whether END_STREAM has been sent. */
    public boolean isEndSent() {
        return endSent;
    }

    /** Whether more data can be added without back-pressure. */
    public boolean isWritable() {
        return queuedBytes < flow.maxQueuedBytes() && flow.frames().isWritable();
    }

    public boolean isWaiting() {
        return !queue.isEmpty();
    }

    /** Whether the stream waits for the peer to enlarge the window of the stream or of the connection. */
    public boolean isBlockedByPeer() {
        return !queue.isEmpty() && flow.frames().isWritable();
    }

    /**
     * Adds {@code increment} to the window. The increment is negative if a SETTINGS frame has reduced the window.
     * Returns false if the window then exceeds the maximum.
     */
    public boolean grow(long increment) {
        window += increment;
        return window <= Integer.MAX_VALUE;
    }

    public int bufferedBytes() {
        return queuedBytes;
    }

    /** The number of bytes that the stream has sent, in heads and bodies. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Releases queued data and stops sending. */
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
