package io.ballast.http.h3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.quic.QuicException;
import io.netty.handler.codec.quic.QuicTransportError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatagramFilterTest {

    private static final InetSocketAddress SERVER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 443);

    private final EmbeddedChannel channel = new EmbeddedChannel(new DatagramFilter());

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0x40, false",
        "1, 0x40, false",
        "20, 0x40, false", // one byte of a short header, and 19 bytes of the connection id
        "21, 0x40, true",
        "1, 0xC0, true", // a long header, which the codec itself checks
        "20, 0xC0, true",
    })
    void onlyDatagramsWithConnectionIdPass(int length, String first, boolean passes) {
        ByteBuf content = Unpooled.wrappedBuffer(new byte[length]);
        if (length > 0) {
            content.setByte(0, Integer.decode(first));
        }

        assertThat(channel.writeInbound(new DatagramPacket(content, SERVER))).isEqualTo(passes);

        assertThat(content.refCnt() > 0 || length == 0).isEqualTo(passes || length == 0);
    }

    @Test
    void errorsOfPacketsDoNotReachTheLog() {
        assertThatCode(() -> {
                    channel.pipeline().fireExceptionCaught(new QuicException(QuicTransportError.PROTOCOL_VIOLATION));
                    channel.checkException();
                })
                .doesNotThrowAnyException();
    }
}
