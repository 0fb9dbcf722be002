package io.ballast.dns.querylog;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Passes log lines in chunks from the formatting thread to the writing thread. If the queue is full, lines accumulate
 * in a last chunk until that chunk is also full.
 *
 * <p>The queue holds at most {@value #MAX_CHUNKS} chunks of {@value #CHUNK_CHARACTERS} characters, and the accumulating
 * chunk. Thread safety: one thread adds and hands over lines, another thread takes them.
 */
final class LogChunkQueue {

    static final int MAX_CHUNKS = 16;
    static final int CHUNK_CHARACTERS = 64 * 1024;

    private final StringBuilder lines = new StringBuilder();
    private final Queue<Piece> queue = new ArrayBlockingQueue<>(MAX_CHUNKS);
    private int lineCount;

    /**
     * A chunk of log lines.
     *
     * @param lineCount number of lines in the chunk
     */
    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    record Piece(byte[] bytes, int lineCount) {}

    /** The buffer for the next line; null if there is no room. */
    @Nullable StringBuilder nextLineBuffer() {
        if (lines.length() >= CHUNK_CHARACTERS && !enqueueChunk()) {
            return null;
        }
        lineCount++;
        return lines;
    }

    /** Queues the current chunk, unless the queue is full. Returns whether no data is pending. */
    boolean enqueueChunk() {
        if (lineCount == 0) {
            return true;
        }
        if (!queue.offer(new Piece(lines.toString().getBytes(StandardCharsets.US_ASCII), lineCount))) {
            return false;
        }
        lines.setLength(0);
        lineCount = 0;
        return true;
    }

    /** Discards the lines that do not fit into the queue; returns their number. */
    int discard() {
        int discarded = enqueueChunk() ? 0 : lineCount;
        lines.setLength(0);
        lineCount = 0;
        return discarded;
    }

    /** The oldest chunk; null if there is none. */
    @Nullable Piece poll() {
        return queue.poll();
    }
}
