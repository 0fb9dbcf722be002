package io.ballast.dashboard.stream;

import io.ballast.dashboard.live.PageState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.Optional;

/**
 * One connected page and the state that it has received. While the connection is not writable, the page gets
 * no messages. The next message then contains everything that it missed.
 */
final class StreamSubscriber {

    private final Channel channel;
    private final Optional<GzipStream> gzip;
    private int layout;
    private PageState sentState = new PageState(0, 0, 0);
    private boolean ended;

    StreamSubscriber(Channel channel, boolean gzip) {
        this.channel = channel;
        this.gzip = gzip ? Optional.of(new GzipStream()) : Optional.empty();
        channel.closeFuture().addListener(closed -> {
            ended = true;
            this.gzip.ifPresent(GzipStream::close);
        });
    }

    /** Returns whether the connection is writable. */
    boolean isWritable() {
        return !ended && channel.isWritable();
    }

    /** Returns whether the page has received the current layout, that is, the indexes of pools and backends. */
    boolean hasLayout(int current) {
        return layout == current;
    }

    PageState sentState() {
        return sentState;
    }

    /** Sends a snapshot. Does not release {@code message}. */
    void sendSnapshot(ByteBuf message, int messageLayout, long version, long event) {
        layout = messageLayout;
        sentState = new PageState(version, /* parts= */ 0, event);
        send(message);
    }

    /**
     * Sends a tick that contains all changes since the state that was last sent to the page. Does not release
     * {@code message}.
     */
    void sendTick(ByteBuf message, long version, long event) {
        sentState = new PageState(version, version, event);
        send(message);
    }

    /** Sends events and the resulting health changes. Does not release {@code message}. */
    void sendTimeline(ByteBuf message, long version, long event) {
        sentState = new PageState(version, sentState.parts(), event);
        send(message);
    }

    /** Sends a message that does not change the page's state. Does not release {@code message}. */
    void send(ByteBuf message) {
        if (ended) {
            return;
        }
        ByteBuf bytes = gzip.map(stream -> stream.compress(message)).orElseGet(message::retainedDuplicate);
        channel.writeAndFlush(new DefaultHttpContent(bytes)).addListener(done -> {
            if (!done.isSuccess()) {
                channel.close();
            }
        });
    }

    /** Ends the response with its final chunk, so that the page can tell that the stream is complete. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        LastHttpContent last = gzip.<LastHttpContent>map(stream -> new DefaultLastHttpContent(stream.finish()))
                .orElse(LastHttpContent.EMPTY_LAST_CONTENT);
        channel.writeAndFlush(last).addListener(ChannelFutureListener.CLOSE);
    }
}
