package io.ballast.dashboard.live;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.Optional;

/**
 * One open page, and what it was sent last. While its connection does not take more, it gets nothing; the next message then
 * has everything that it missed.
 */
final class StreamClient {

    private final Channel channel;
    private final Optional<GzipStream> gzip;
    private int layout;
    private Known known = new Known(0, 0, 0);
    private boolean ended;

    StreamClient(Channel channel, boolean gzip) {
        this.channel = channel;
        this.gzip = gzip ? Optional.of(new GzipStream()) : Optional.empty();
        channel.closeFuture().addListener(closed -> {
            ended = true;
            this.gzip.ifPresent(GzipStream::close);
        });
    }

    /** Whether the connection takes a message now. */
    boolean takesMore() {
        return !ended && channel.isWritable();
    }

    /** Whether places of pools and backends mean the same to this page. */
    boolean hasLayout(int current) {
        return layout == current;
    }

    Known known() {
        return known;
    }

    /** Sends a snapshot, which is borrowed. */
    void sendSnapshot(ByteBuf message, int messageLayout, long version, long event) {
        layout = messageLayout;
        known = new Known(version, /* parts= */ 0, event);
        send(message);
    }

    /** Sends a tick, which is borrowed; it has everything that the page did not know. */
    void sendTick(ByteBuf message, long version, long event) {
        known = new Known(version, version, event);
        send(message);
    }

    /** Sends events and health that follows from them; the message is borrowed. */
    void sendTimeline(ByteBuf message, long version, long event) {
        known = new Known(version, known.parts(), event);
        send(message);
    }

    /** Sends a message that says nothing new; it is borrowed. */
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

    /** Ends the stream in good order: the page knows that nothing was cut off. */
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
