package io.ballast.dashboard.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a document after the head of its response. The next piece is written when the channel is writable, one per turn
 * of the event loop. A client that reads too slowly is disconnected, because the number of transfers is limited.
 * Event-loop confined.
 */
final class DocumentTransfer {

    private static final Logger LOG = LoggerFactory.getLogger(DocumentTransfer.class);

    private final Channel channel;
    private final Document document;
    private final Runnable onEnd;
    private final ScheduledFuture<?> deadline;
    private @Nullable ByteBuf firstPiece;
    private boolean hasMore = true;
    private boolean ended;

    /**
     * @param firstPiece the first piece; this class releases it
     * @param timeoutSeconds maximum duration of the transfer
     * @param onEnd called once, when the document is sent or the transfer is aborted
     */
    DocumentTransfer(Channel channel, Document document, ByteBuf firstPiece, int timeoutSeconds, Runnable onEnd) {
        this.channel = channel;
        this.document = document;
        this.firstPiece = firstPiece;
        this.onEnd = onEnd;
        this.deadline = channel.eventLoop().schedule(this::abort, timeoutSeconds, TimeUnit.SECONDS);
        channel.closeFuture().addListener(closed -> end());
    }

    /** Sends the next piece if the channel is writable. Call it whenever writability changes. */
    void sendNextPiece() {
        if (ended || !channel.isWritable()) {
            return;
        }
        ByteBuf piece = firstPiece == null ? createPiece() : firstPiece;
        firstPiece = null;
        if (piece == null) {
            return;
        }
        if (hasMore) {
            channel.writeAndFlush(new DefaultHttpContent(piece)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            channel.eventLoop().execute(this::sendNextPiece);
            return;
        }
        ended = true;
        channel.writeAndFlush(new DefaultLastHttpContent(piece))
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE)
                .addListener(sent -> releaseResources());
    }

    private @Nullable ByteBuf createPiece() {
        ByteBuf piece = channel.alloc().ioBuffer(Document.PIECE_BYTES + Document.PIECE_BYTES / 2);
        try {
            hasMore = document.writePiece(piece);
            return piece;
        } catch (RuntimeException e) {
            LOG.error("cannot write a dashboard response", e);
            piece.release();
            abort();
            return null;
        }
    }

    /** Closes the connection without the final chunk, so that the client sees that the document is incomplete. */
    private void abort() {
        end();
        channel.close();
    }

    private void end() {
        if (ended) {
            return;
        }
        ended = true;
        releaseResources();
    }

    private void releaseResources() {
        deadline.cancel(/* mayInterruptIfRunning= */ false);
        if (firstPiece != null) {
            firstPiece.release();
            firstPiece = null;
        }
        document.close();
        onEnd.run();
    }
}
