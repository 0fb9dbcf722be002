package io.ballast.dashboard.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StreamClientTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final StreamClient client = new StreamClient(channel);

    @Test
    void aClientThatDoesNotReadMissesTicksAndThenGetsASnapshot() {
        offer("tick 1");
        writable(false);
        offer("tick 2");
        offer("tick 3");
        writable(true);
        offer("tick 4");
        offer("tick 5");

        assertThat(sent()).isEqualTo("tick 1");
        assertThat(sent()).isEqualTo("snapshot");
        assertThat(sent()).isEqualTo("tick 5");
        assertThat(channel.outboundMessages()).isEmpty();
    }

    private void offer(String message) {
        ByteBuf bytes = bytes(message);
        client.offer(bytes, () -> bytes("snapshot"));
        bytes.release();
    }

    private void writable(boolean writable) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        buffer.setUserDefinedWritability(1, writable);
    }

    private String sent() {
        HttpContent content = channel.readOutbound();
        String text = content.content().toString(StandardCharsets.UTF_8);
        content.release();
        return text;
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }
}
