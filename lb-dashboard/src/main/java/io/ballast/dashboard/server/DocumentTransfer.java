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
 * Sends a document behind the head of its response: the next piece is made when the channel takes it, one in each turn of
 * the loop. A reader that takes too long is cut off, since only so many documents may be on their way. Event-loop
 * confined.
 */
final class DocumentTransfer {

    private static final Logger LOG = LoggerFactory.getLogger(DocumentTransfer.class);

    private final Channel channel;
    private final Document document;
    private final Runnable whenOver;
    private final ScheduledFuture<?> deadline;
    private @Nullable ByteBuf made;
    private boolean more = true;
    private boolean over;

    /**
     * @param made the first piece, which others follow; consumed
     * @param mostSeconds how long the reader may take for all
     * @param whenOver called once, when the document is sent or given up
     */
    DocumentTransfer(Channel channel, Document document, ByteBuf made, int mostSeconds, Runnable whenOver) {
        this.channel = channel;
        this.document = document;
        this.made = made;
        this.whenOver = whenOver;
        this.deadline = channel.eventLoop().schedule(this::giveUp, mostSeconds, TimeUnit.SECONDS);
        channel.closeFuture().addListener(closed -> end());
    }

    /** Goes on, if the channel takes more; to be called again whenever it does. */
    void proceed() {
        if (over || !channel.isWritable()) {
            return;
        }
        ByteBuf piece = made == null ? make() : made;
        made = null;
        if (piece == null) {
            return;
        }
        if (more) {
            channel.writeAndFlush(new DefaultHttpContent(piece)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            channel.eventLoop().execute(this::proceed);
            return;
        }
        over = true;
        channel.writeAndFlush(new DefaultLastHttpContent(piece))
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE)
                .addListener(sent -> free());
    }

    private @Nullable ByteBuf make() {
        ByteBuf piece = channel.alloc().ioBuffer(Document.PIECE_BYTES + Document.PIECE_BYTES / 2);
        try {
            more = document.writePiece(piece);
            return piece;
        } catch (RuntimeException e) {
            LOG.error("dashboard document failed", e);
            piece.release();
            giveUp();
            return null;
        }
    }

    /** The reader sees that the document is not whole. */
    private void giveUp() {
        end();
        channel.close();
    }

    private void end() {
        if (over) {
            return;
        }
        over = true;
        free();
    }

    private void free() {
        deadline.cancel(/* mayInterruptIfRunning= */ false);
        if (made != null) {
            made.release();
            made = null;
        }
        document.close();
        whenOver.run();
    }
}
