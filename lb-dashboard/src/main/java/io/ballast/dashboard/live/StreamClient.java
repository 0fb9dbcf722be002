package io.ballast.dashboard.live;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.function.Supplier;

/**
 * One open page. While it does not take what it was sent, it gets nothing more; when it does again, it gets a whole
 * snapshot in place of what it missed.
 */
final class StreamClient {

    private final Channel channel;
    private boolean behind;

    StreamClient(Channel channel) {
        this.channel = channel;
    }

    /**
     * Sends a message, or leaves it out.
     *
     * @param message borrowed
     * @param snapshot gives the message to send instead if the client missed one; borrowed too
     */
    void offer(ByteBuf message, Supplier<ByteBuf> snapshot) {
        if (!channel.isWritable()) {
            behind = true;
            return;
        }
        send(behind ? snapshot.get() : message);
        behind = false;
    }

    /** Sends a message whatever is under way; {@code message} is borrowed. */
    void send(ByteBuf message) {
        channel.writeAndFlush(new DefaultHttpContent(message.retainedDuplicate()))
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        channel.close();
                    }
                });
    }

    /** Ends the stream in good order: the page knows that nothing was cut off. */
    void end() {
        channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(ChannelFutureListener.CLOSE);
    }
}
