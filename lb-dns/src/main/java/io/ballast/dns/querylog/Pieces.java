package io.ballast.dns.querylog;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes lines from the thread that puts them together to the one that writes them: in pieces, while the other keeps up, and else in
 * one that grows until it is full.
 *
 * <p>Bounds: {@value #MOST_PIECES} pieces of {@value #PIECE_CHARACTERS} characters, and the one that grows. Thread safety: one thread
 * adds and hands over, another one takes.
 */
final class Pieces {

    static final int MOST_PIECES = 16;
    static final int PIECE_CHARACTERS = 64 * 1024;

    private final StringBuilder lines = new StringBuilder();
    private final Queue<Piece> queue = new ArrayBlockingQueue<>(MOST_PIECES);
    private int count;

    /** @param entries how many lines */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Piece(byte[] octets, int entries) {}

    /** Where the next line goes; null if it finds no room. */
    @Nullable StringBuilder next() {
        if (lines.length() >= PIECE_CHARACTERS && !handOver()) {
            return null;
        }
        count++;
        return lines;
    }

    /** Lets the other thread have what there is, if it keeps up; whether nothing is left here. */
    boolean handOver() {
        if (count == 0) {
            return true;
        }
        if (!queue.offer(new Piece(lines.toString().getBytes(StandardCharsets.US_ASCII), count))) {
            return false;
        }
        lines.setLength(0);
        count = 0;
        return true;
    }

    /** Gives up what cannot be handed over; how many lines that were. */
    int forget() {
        int forgotten = handOver() ? 0 : count;
        lines.setLength(0);
        count = 0;
        return forgotten;
    }

    /** The oldest; null if there is none. */
    @Nullable Piece take() {
        return queue.poll();
    }
}
