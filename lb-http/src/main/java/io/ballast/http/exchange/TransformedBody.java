package io.ballast.http.exchange;

import io.ballast.http.h1.wire.ChunkReader;
import io.ballast.http.h1.wire.ChunkSize;
import io.ballast.http.net.Worker;
import io.ballast.http.transform.AbsorbingTransform;
import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body of one response on its way through a {@link BodyTransform}. Removes the chunked coding, gives the transform
 * at most {@value BodyTransform#MAX_TURN_BYTES} bytes in each turn of the event loop, and adds chunked coding if the
 * client's protocol needs it. Data waits in this object while the client is slow or the limit of the turn is reached.
 * In that time, the exchange stops reading from the backend.
 *
 * <p>The first {@value BodyTransform#MAX_TURN_BYTES} bytes of a body of known length are collected before the transform
 * starts. A transform with much state, such as a compressor, then handles a short body in one call. If many bodies
 * alternated, their state would not fit into the processor's caches, which would triple the time.
 *
 * <p>An {@link AbsorbingTransform} gets the body even while the client is slow, and may need it after the client has
 * disconnected. Event-loop confined.
 */
final class TransformedBody implements BodyOutput {

    private static final Logger LOG = LoggerFactory.getLogger(TransformedBody.class);

    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] LAST_CHUNK = {'0', '\r', '\n'};
    /** The length of a size line with four digits, which all chunks longer than {@link #COPIED_BYTES} have. */
    private static final int SIZE_LINE_BYTES = 6;

    private static final int BUFFER_BYTES = 16 * 1024;
    /** Room for the end of a chunk and the last chunk. */
    private static final int TAIL_BYTES = 2 + 3 + 2;
    /** Shorter output is copied, so that a slow client does not hold a large buffer for each short event. */
    private static final int COPIED_BYTES = 4096;

    private final Worker worker;
    private final ClientSide client;
    private final BodyTransform transform;
    /** The transform if it may absorb data; null otherwise. */
    private final @Nullable AbsorbingTransform absorbing;

    private final @Nullable ChunkReader chunks;
    /** The maximum number of bytes in a turn; absorbed bytes count when they are received and when they are written. */
    private final int maxTurnBytes;

    private final boolean codesChunks;
    private final boolean flushes;
    /** The transform starts when this number of bytes is collected, or when the body ends. */
    private final long collectedBytes;

    private final Runnable onProcessed;
    private final Runnable onComplete;
    private final Runnable onFailed;
    private final ArrayDeque<ByteBuf> pending = new ArrayDeque<>();

    private @Nullable ByteBuf buffer;
    private long pendingBytes;
    private int turnBytes;
    private boolean unflushed;
    private boolean scheduled;
    private boolean inputEnded;
    /** Whether the transform was notified of the end of its input. */
    private boolean endReceived;
    /** Whether the client has disconnected, so that nothing is written any more. */
    private boolean detached;
    /** Whether the transform has not started, because too little data is collected. */
    private boolean collecting;
    /** Whether the transform is being called, so that it must not be released. */
    private boolean working;

    private boolean stopped;

    /**
     * @param inChunks whether the received body has chunked coding
     * @param codesChunks whether the client gets chunked coding
     * @param bodyBytes the length of the received body; negative if it is unknown; then all received data is sent at
     *     the end of each read round
     * @param onProcessed called in a later turn, when all received data is processed and the client is writable
     * @param onComplete called in a later turn, when the body is complete
     * @param onFailed called in a later turn, if the transform has failed
     */
    TransformedBody(
            Worker worker,
            ClientSide client,
            BodyTransform transform,
            boolean inChunks,
            boolean codesChunks,
            long bodyBytes,
            Runnable onProcessed,
            Runnable onComplete,
            Runnable onFailed) {
        this.worker = worker;
        this.client = client;
        this.transform = transform;
        this.absorbing = transform instanceof AbsorbingTransform able ? able : null;
        this.maxTurnBytes = absorbing == null ? BodyTransform.MAX_TURN_BYTES : 2 * BodyTransform.MAX_TURN_BYTES;
        this.chunks = inChunks ? new ChunkReader(this::addPiece) : null;
        this.codesChunks = codesChunks;
        this.flushes = bodyBytes < 0;
        this.collectedBytes = Math.min(bodyBytes, BodyTransform.MAX_TURN_BYTES);
        this.collecting = bodyBytes > 0;
        this.onProcessed = onProcessed;
        this.onComplete = onComplete;
        this.onFailed = onFailed;
    }

    // ---- input

    /** Adds a part of the received body; consumes {@code data}. */
    void add(ByteBuf data) {
        if (stopped) {
            data.release(); // the connection to the client broke while the head was sent
            return;
        }
        if (chunks == null) {
            addPiece(data);
        } else {
            chunks.read(data);
            data.release();
        }
        process();
    }

    private void addPiece(ByteBuf piece) {
        if (piece.isReadable()) {
            pendingBytes += piece.readableBytes();
            pending.add(piece);
        } else {
            piece.release();
        }
    }

    long pendingBytes() {
        return pendingBytes;
    }

    /** Whether more data may be received: the transform has taken all received data, or has not started yet. */
    boolean isProcessed() {
        return pending.isEmpty() || collecting;
    }

    /** Whether data may be received even if the client is slow or has disconnected. */
    boolean absorbs() {
        return detached || (absorbing != null && absorbing.absorbs());
    }

    private long keptBytes() {
        return detached || absorbing == null ? 0 : absorbing.keptBytes();
    }

    /** Passes waiting data to the transform, as far as this turn and the client allow. */
    private void process() {
        collecting = collecting && pendingBytes + keptBytes() < collectedBytes && !inputEnded;
        if (working || (collecting && !absorbs())) {
            return;
        }
        working = true;
        try {
            while (!stopped && turnBytes < maxTurnBytes && processNext()) {}
            endInput();
        } finally {
            working = false; // reset even if the transform fails, so that its resources can be released
        }
        if (stopped) {
            release();
        } else if (canProcess()) {
            schedule();
        }
    }

    private boolean canProcess() {
        return pending.isEmpty() ? keptBytes() > 0 && accepts() : absorbs() || accepts();
    }

    /** Whether data may be written now. */
    private boolean accepts() {
        return !detached && !collecting && client.isWritable();
    }

    /** Passes the next part of the body to the transform; false if there is no data, or the client is slow. */
    private boolean processNext() {
        boolean accepts = accepts();
        int resumed = accepts && absorbing != null ? absorbing.resume(this) : 0;
        if (resumed > 0) {
            turnBytes += resumed;
            unflushed = true;
            return true;
        }
        if (pending.isEmpty() || !(accepts || absorbs())) {
            return false;
        }
        if (detached && !outlivesClient()) {
            dropPiece();
        } else {
            processPiece(pending.element());
        }
        return true;
    }

    private void dropPiece() {
        ByteBuf piece = pending.remove();
        pendingBytes -= piece.readableBytes();
        piece.release();
    }

    /** Notifies an absorbing transform that it has received the whole body. */
    private void endInput() {
        if (absorbing != null && inputEnded && pending.isEmpty() && !endReceived && !stopped) {
            endReceived = true;
            absorbing.received(this);
        }
    }

    private void processPiece(ByteBuf piece) {
        int length = Math.min(piece.readableBytes(), Math.min(BodyTransform.MAX_PIECE_BYTES, maxTurnBytes - turnBytes));
        turnBytes += length;
        transform.add(nioBuffer(piece, length), this);
        unflushed = true;
        if (stopped) {
            return; // the piece stays in the queue, which releases it
        }
        pendingBytes -= length;
        piece.skipBytes(length);
        if (!piece.isReadable()) {
            pending.remove().release();
        }
    }

    /** Avoids the allocation of a ByteBuffer if the piece is contiguous. */
    private static ByteBuffer nioBuffer(ByteBuf piece, int length) {
        return piece.nioBufferCount() == 1
                ? piece.internalNioBuffer(piece.readerIndex(), length)
                : piece.nioBuffer(piece.readerIndex(), length);
    }

    /**
     * Continues processing in the next turn of the event loop, after the events of that turn; see {@code ReadLimiter}.
     */
    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            worker.eventLoop().schedule(this::continueInNextTurn, 0, TimeUnit.NANOSECONDS);
        }
    }

    private void continueInNextTurn() {
        scheduled = false;
        if (stopped) {
            return;
        }
        try {
            proceed();
        } catch (RuntimeException | Error e) {
            LOG.error("msg=\"a policy cannot change the body of a response\"", e);
            onFailed.run();
        }
    }

    private void proceed() {
        turnBytes = 0;
        process();
        if (stopped) {
            return;
        }
        if (pending.isEmpty() && keptBytes() == 0 && inputEnded) {
            if (end()) {
                onComplete.run();
            }
            return;
        }
        if (pending.isEmpty()) {
            flushTransform();
        }
        if (!detached) {
            client.flush();
        }
        if (pending.isEmpty() && (absorbs() || client.isWritable())) {
            onProcessed.run();
        }
    }

    /** Continues after the client was slow; returns whether more data may be received. */
    boolean resume() {
        if (canProcess()) {
            schedule(); // the caller may be in the middle of sending
        }
        return isProcessed();
    }

    /**
     * Called at the end of a read round. Sends the received data if its length is unknown, so that the client need not
     * wait.
     */
    void flush() {
        if (!scheduled && pending.isEmpty()) {
            turnBytes = 0;
            flushTransform();
        }
    }

    private void flushTransform() {
        if (!flushes || !unflushed || stopped || detached) {
            return;
        }
        unflushed = false;
        working = true;
        try {
            transform.flush(this);
            send(/* last= */ false);
        } finally {
            working = false;
        }
        if (stopped) {
            release();
        }
    }

    /**
     * Ends the received body.
     *
     * @return whether the whole body was passed to the client; if data still waits, {@code onComplete} is called later
     */
    boolean end() {
        inputEnded = true;
        if (collecting || absorbing != null) {
            process(); // the body was shorter than announced, or the transform must be notified of its end
        }
        if (stopped || !pending.isEmpty() || keptBytes() > 0) {
            return false;
        }
        if (detached) {
            return true;
        }
        working = true;
        try {
            transform.end(this);
            byte[] trailers = chunks == null ? null : chunks.trailers();
            if (trailers != null && !codesChunks && !stopped) {
                client.responseTrailers(trailers);
            }
            send(/* last= */ true);
        } finally {
            working = false;
        }
        if (stopped) {
            release(); // the connection to the client broke
        }
        return !stopped;
    }

    // ---- output

    @Override
    public ByteBuffer room() {
        ByteBuf current = buffer;
        if (current != null && current.capacity() - TAIL_BYTES - current.writerIndex() < MIN_ROOM) {
            send(/* last= */ false);
            current = buffer;
        }
        if (current == null) {
            current = worker.allocator()
                    .directBuffer(SIZE_LINE_BYTES + BUFFER_BYTES + TAIL_BYTES)
                    .setIndex(SIZE_LINE_BYTES, SIZE_LINE_BYTES);
            buffer = current;
        }
        int at = current.writerIndex();
        return current.internalNioBuffer(at, current.capacity() - TAIL_BYTES - at);
    }

    @Override
    public void written(int bytes) {
        ByteBuf current = buffer;
        if (current != null) {
            current.writerIndex(current.writerIndex() + bytes);
        }
    }

    /** Sends the collected output. */
    private void send(boolean last) {
        ByteBuf collected = buffer;
        int length = collected == null ? 0 : collected.readableBytes();
        boolean endsChunks = last && codesChunks;
        if (stopped || (length == 0 && !endsChunks)) {
            if (collected != null) {
                collected.setIndex(SIZE_LINE_BYTES, SIZE_LINE_BYTES);
            }
            return;
        }
        ByteBuf out = collected == null || length <= COPIED_BYTES ? copy(collected, length) : detach(collected, length);
        if (codesChunks && length > 0) {
            out.writeBytes(CRLF);
        }
        if (endsChunks) {
            out.writeBytes(LAST_CHUNK);
            byte[] trailers = chunks == null ? null : chunks.trailers();
            if (trailers != null) {
                out.writeBytes(trailers);
            }
            out.writeBytes(CRLF);
        }
        client.responseBody(out);
    }

    /** Copies the collected output into a new buffer of the needed size; the large buffer is kept for more output. */
    private ByteBuf copy(@Nullable ByteBuf collected, int length) {
        ByteBuf out = worker.allocator().directBuffer(SIZE_LINE_BYTES + length + TAIL_BYTES);
        if (collected != null && length > 0) {
            if (codesChunks) {
                ChunkSize.write(length, out);
            }
            out.writeBytes(collected.internalNioBuffer(SIZE_LINE_BYTES, length));
            collected.setIndex(SIZE_LINE_BYTES, SIZE_LINE_BYTES);
        }
        return out;
    }

    /** Returns the large buffer itself. The size line is written into the space reserved before its content. */
    private ByteBuf detach(ByteBuf collected, int length) {
        buffer = null;
        if (codesChunks) {
            collected.setIndex(0, 0);
            ChunkSize.write(length, collected);
            collected.writerIndex(SIZE_LINE_BYTES + length);
        }
        return collected;
    }

    // ---- end

    /**
     * Continues only for the transform, because the client has disconnected.
     *
     * @return false if the transform does not need the rest of the body
     */
    boolean detach() {
        detached |= !stopped && !endReceived && outlivesClient();
        return detached;
    }

    /** Whether the rest of the body is needed even if the client has disconnected. */
    boolean outlivesClient() {
        return absorbing != null && absorbing.outlivesClient();
    }

    /** Releases all resources; nothing is sent any more. */
    void stop() {
        stopped = true;
        if (!working) {
            release();
        }
    }

    /** Releases all resources. Called once, while no call of the transform is in progress. */
    private void release() {
        transform.release();
        for (ByteBuf piece = pending.poll(); piece != null; piece = pending.poll()) {
            piece.release();
        }
        pendingBytes = 0;
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }
}
