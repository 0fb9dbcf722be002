package io.ballast.dashboard.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.live.PageState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class StreamSubscriberTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();

    @Test
    void aClientThatDoesNotReadIsNotWritable() {
        StreamSubscriber client = new StreamSubscriber(channel, /* gzip= */ false);

        assertThat(client.isWritable()).isTrue();
        writable(false);
        assertThat(client.isWritable()).isFalse();
        writable(true);
        assertThat(client.isWritable()).isTrue();
    }

    @Test
    void theStateFollowsTheSentMessages() {
        StreamSubscriber client = new StreamSubscriber(channel, /* gzip= */ false);

        send(message -> client.sendSnapshot(message, /* messageLayout= */ 3, /* version= */ 7, /* event= */ 2));
        assertThat(client.hasLayout(3)).isTrue();
        assertThat(client.sentState()).isEqualTo(new PageState(7, 0, 2));
        send(message -> client.sendTimeline(message, /* version= */ 8, /* event= */ 4));
        assertThat(client.sentState()).isEqualTo(new PageState(8, 0, 4));
        send(message -> client.sendTick(message, /* version= */ 9, /* event= */ 4));
        assertThat(client.sentState()).isEqualTo(new PageState(9, 9, 4));
    }

    @Test
    void compressedMessagesFormOneGzipFile() throws Exception {
        StreamSubscriber client = new StreamSubscriber(channel, /* gzip= */ true);
        String large = "data: 127.0.0.1:8080\n".repeat(5000);

        send("first\n", client::send);
        send(large, client::send);
        send("last\n", client::send);
        client.end();

        CompositeByteBuf all = Unpooled.compositeBuffer();
        for (HttpContent content = channel.readOutbound(); content != null; content = channel.readOutbound()) {
            all.addComponent(/* increaseWriterIndex= */ true, content.content());
        }
        int length = all.readableBytes();
        try (InputStream plain = new GZIPInputStream(new ByteBufInputStream(all, /* releaseOnClose= */ true))) {
            assertThat(new String(plain.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("first\n" + large + "last\n");
        }
        assertThat(length).isLessThan(large.length() / 50);
    }

    @Test
    void nothingIsSentAfterTheEnd() {
        StreamSubscriber client = new StreamSubscriber(channel, /* gzip= */ true);
        client.end();
        channel.releaseOutbound();

        send("late", client::send);
        client.end();

        assertThat(client.isWritable()).isFalse();
        assertThat(channel.outboundMessages()).isEmpty();
    }

    @FunctionalInterface
    private interface Sender {
        void send(ByteBuf message);
    }

    private void send(Sender sender) {
        send("message", sender);
        channel.releaseOutbound();
    }

    private static void send(String text, Sender sender) {
        ByteBuf message = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
        sender.send(message);
        message.release();
    }

    private void writable(boolean writable) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        buffer.setUserDefinedWritability(1, writable);
    }
}
