package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

class ClientHelloReaderTest {

    @Test
    void readsNameAndProtocols() throws Exception {
        ClientHello hello = ClientHelloReader.read(Unpooled.wrappedBuffer(hello("App.Example.com", "h2", "http/1.1")));

        assertThat(hello).isEqualTo(new ClientHello("app.example.com", List.of("h2", "http/1.1")));
    }

    @Test
    void acceptsClientWithoutExtensions() throws Exception {
        assertThat(ClientHelloReader.read(Unpooled.wrappedBuffer(hello(null)))).isEqualTo(ClientHello.NONE);
    }

    @Test
    void acceptsAnyFragmentation() throws Exception {
        byte[] whole = hello("a.example", "h2");
        for (int length = 0; length < whole.length; length++) {
            ByteBuf part = Unpooled.wrappedBuffer(whole, 0, length);

            assertThat(ClientHelloReader.read(part)).as("%s bytes", length).isNull();
            assertThat(part.readableBytes()).isEqualTo(length);
        }
    }

    @Test
    void acceptsMessageInSeveralRecords() throws Exception {
        byte[] whole = hello("a.example", "h2");
        ByteBuf records = Unpooled.buffer();
        for (int at = 5; at < whole.length; at += 7) {
            int length = Math.min(7, whole.length - at);
            records.writeByte(22).writeShort(0x0303).writeShort(length).writeBytes(whole, at, length);
        }
        records.writeByte(23).writeShort(0x0303).writeShort(1).writeByte(0); // early data after the message

        assertThat(ClientHelloReader.read(records)).isEqualTo(new ClientHello("a.example", List.of("h2")));
    }

    @Test
    void recognizesOtherProtocols() {
        for (String text : List.of("GET / HTTP/1.1\r\n", "S", "\u0016\u0001abc")) {
            assertThat(ClientHelloReader.read(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1)))
                    .isSameAs(ClientHello.NONE);
        }
    }

    @Test
    void rejectsTooLongOrOtherMessage() throws Exception {
        ByteBuf serverHello = Unpooled.wrappedBuffer(hello("a.example")).setByte(5, 2);
        assertThatThrownBy(() -> ClientHelloReader.read(serverHello)).isInstanceOf(IllegalArgumentException.class);
        ByteBuf huge = Unpooled.wrappedBuffer(hello("a.example")).setMedium(6, 1 << 20);
        assertThatThrownBy(() -> ClientHelloReader.read(huge)).isInstanceOf(IllegalArgumentException.class);
        ByteBuf empty = Unpooled.buffer().writeByte(22).writeShort(0x0303).writeShort(0);
        assertThatThrownBy(() -> ClientHelloReader.read(empty)).isInstanceOf(IllegalArgumentException.class);
    }

    /** For any input, the reader only rejects, answers, or waits for more. */
    @Test
    void survivesMalformedMessages() throws Exception {
        byte[] whole = hello("a.example", "h2", "http/1.1");
        Random random = new Random(7);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] broken = Arrays.copyOf(whole, whole.length);
            for (int n = random.nextInt(4); n >= 0; n--) {
                broken[5 + random.nextInt(whole.length - 5)] = (byte) random.nextInt();
            }
            try {
                ClientHelloReader.read(Unpooled.wrappedBuffer(broken));
            } catch (IllegalArgumentException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    private static byte[] hello(String name, String... alpn) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(name == null ? List.of() : List.of(new SNIHostName(name)));
        parameters.setApplicationProtocols(alpn);
        engine.setSSLParameters(parameters);
        ByteBuffer out = ByteBuffer.allocate(32 * 1024);
        engine.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }
}
