package io.ballast.net.proxyprotocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProxyHeaderReaderTest {

    private static final String HEADER = "PROXY TCP4 203.0.113.1 192.0.2.1 4711 853\r\n";

    private final List<@Nullable InetSocketAddress> clients = new ArrayList<>();
    private final List<@Nullable InetSocketAddress> destinations = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private boolean admits = true;

    private final ProxyHeaderReader.Recipient recipient = new ProxyHeaderReader.Recipient() {
        @Override
        public boolean onClientIdentified(
                @Nullable InetSocketAddress client, @Nullable InetSocketAddress destination, ChannelPipeline pipeline) {
            clients.add(client);
            destinations.add(destination);
            return admits;
        }

        @Override
        public void onInvalidHeader() {
            ends.add("refused");
        }

        @Override
        public void onFailure(Throwable cause) {
            ends.add(cause.getMessage());
        }
    };

    private final EmbeddedChannel channel = new EmbeddedChannel(new ProxyHeaderReader(recipient));

    @Test
    void readsClientAddressAndForwardsRest() {
        send(HEADER.substring(0, 20));
        assertThat(clients).isEmpty();

        send(HEADER.substring(20) + "hello");

        assertThat(clients).containsExactly(new InetSocketAddress("203.0.113.1", 4711));
        assertThat(destinations).containsExactly(new InetSocketAddress("192.0.2.1", 853));
        assertThat(received()).isEqualTo("hello");
        assertThat(channel.pipeline().get(ProxyHeaderReader.class)).isNull();
    }

    @Test
    void localCommandHasNoClient() {
        send("PROXY UNKNOWN\r\nhello");

        assertThat(clients).hasSize(1).containsOnlyNulls();
        assertThat(received()).isEqualTo("hello");
    }

    @Test
    void destinationWithoutPortIsUnknown() {
        send("PROXY TCP4 203.0.113.1 0.0.0.0 4711 0\r\n");

        assertThat(destinations).hasSize(1).containsOnlyNulls();
    }

    @Test
    void closesConnectionWithoutHeader() {
        send("hello, I am not a header");

        assertThat(clients).isEmpty();
        assertThat(ends).containsExactly("refused");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void closesConnectionOfRejectedClient() {
        admits = false;

        send(HEADER + "hello");

        assertThat(ends).isEmpty();
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.inboundMessages()).isEmpty();
    }

    @Test
    void failureClosesConnection() {
        channel.pipeline().fireExceptionCaught(new IllegalStateException("broken"));

        assertThat(ends).containsExactly("broken");
        assertThat(channel.isOpen()).isFalse();
    }

    private void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    private String received() {
        ByteBuf buffer = channel.readInbound();
        String text = buffer.toString(StandardCharsets.US_ASCII);
        buffer.release();
        return text;
    }
}
