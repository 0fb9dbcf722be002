package io.ballast.discovery.remote;

import io.ballast.core.DurationText;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A streamed response body that consists of lines and may be endless. At most one unread piece is buffered,
 * so that a slow reader slows down the sender.
 *
 * <p>Thread safety: read and closed by one thread.
 */
public final class LineStream implements BodySubscriber<LineStream>, AutoCloseable {

    /** The maximum length of a line, in bytes. */
    static final int MAX_BYTES = 4 << 20;

    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final Deque<ByteBuffer> unread = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private volatile Flow.@Nullable Subscription subscription;
    private boolean ended;

    /** A part of the body, or the end of the body; {@code cause} is set if reading the body failed. */
    private record Piece(
            List<ByteBuffer> bytes, boolean last, @Nullable Throwable cause) {}

    LineStream() {}

    /**
     * Returns the next line without its line break, or null at the end of the body.
     *
     * @param timeout time limit for the whole line
     * @throws IOException if the line does not arrive in time, is too long or is truncated
     */
    public byte @Nullable [] next(Duration timeout) throws IOException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (!readLine()) {
            if (ended) {
                if (line.size() > 0) {
                    throw new EOFException("answer ends in the middle of a line");
                }
                return null;
            }
            Piece piece = pieces.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (piece == null) {
                throw new IOException("no data received for " + DurationText.of(timeout));
            }
            addPiece(piece);
        }
        byte[] whole = line.toByteArray();
        line.reset();
        return whole;
    }

    private void addPiece(Piece piece) throws IOException {
        if (piece.cause() != null) {
            throw new IOException(
                    "response is truncated: " + HttpFetcher.describeFailure(piece.cause()), piece.cause());
        }
        ended = piece.last();
        unread.addAll(piece.bytes());
        Flow.Subscription more = subscription;
        if (!ended && more != null) {
            more.request(1);
        }
    }

    /** Appends bytes to the line; returns whether the line is complete. */
    private boolean readLine() throws IOException {
        for (ByteBuffer next = unread.peek(); next != null; next = unread.peek()) {
            while (next.hasRemaining()) {
                byte b = next.get();
                if (b == '\n') {
                    return true;
                }
                line.write(b);
            }
            if (line.size() > MAX_BYTES) {
                throw new IOException("a line is longer than " + MAX_BYTES + " bytes");
            }
            unread.remove();
        }
        return false;
    }

    @Override
    public CompletionStage<LineStream> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription body) {
        subscription = body;
        body.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        pieces.add(new Piece(bytes, /* last= */ false, /* cause= */ null));
    }

    @Override
    public void onError(Throwable cause) {
        pieces.add(new Piece(List.of(), /* last= */ true, cause));
    }

    @Override
    public void onComplete() {
        pieces.add(new Piece(List.of(), /* last= */ true, /* cause= */ null));
    }

    /** Closes the connection, unless the body was received completely. */
    @Override
    public void close() {
        Flow.Subscription body = subscription;
        if (body != null) {
            body.cancel();
        }
    }
}
