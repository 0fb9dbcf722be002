package io.ballast.dashboard;

import io.ballast.dashboard.server.Document;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All metrics in the Prometheus text format, for another part of the process. Each piece is produced on the dashboard's
 * event loop, which does other work between two pieces. Used by one thread, which is not the event loop.
 */
public final class ExpositionReading implements AutoCloseable {

    private static final int PIECE_SECONDS = 10;

    private final EventLoop loop;
    private final Supplier<Document> documents;
    /** Confined to the event loop. */
    private @Nullable Document document;

    private boolean hasMore = true;

    /** @param documents creates the document, on the event loop */
    ExpositionReading(EventLoop loop, Supplier<Document> documents) {
        this.loop = loop;
        this.documents = documents;
    }

    /**
     * Returns the next piece; empty if there is none. Waits at most ten seconds.
     *
     * @throws IOException if the piece cannot be produced, because the dashboard is closed or too busy
     */
    public Optional<byte[]> next() throws IOException {
        if (!hasMore) {
            return Optional.empty();
        }
        CompletableFuture<byte[]> piece = new CompletableFuture<>();
        try {
            loop.execute(() -> write(piece));
            return Optional.of(piece.get(PIECE_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (RejectedExecutionException e) {
            throw new IOException("the dashboard is closed", e);
        } catch (TimeoutException e) {
            throw new IOException("the dashboard is too busy", e);
        } catch (ExecutionException e) {
            throw new IOException("the dashboard failed", e);
        }
    }

    private void write(CompletableFuture<byte[]> piece) {
        ByteBuf out = Unpooled.buffer(2 * Document.PIECE_BYTES);
        try {
            Document current = document;
            if (current == null) {
                current = documents.get();
                document = current;
            }
            hasMore = current.writePiece(out);
            piece.complete(ByteBufUtil.getBytes(out));
        } catch (RuntimeException e) {
            piece.completeExceptionally(e);
        } finally {
            out.release();
        }
    }

    @Override
    public void close() {
        hasMore = false;
        try {
            loop.execute(() -> {
                if (document != null) {
                    document.close();
                }
            });
        } catch (RejectedExecutionException e) {
            // A closed dashboard has no resources to release.
        }
    }
}
