package io.ballast.net.proxyprotocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.net.IpAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyHeaderWriterTest {

    @ParameterizedTest(name = "{displayName} [{index}]: {0} to {1}")
    @CsvSource({
        "192.0.2.7, 198.51.100.1, PROXY TCP4 192.0.2.7 198.51.100.1 4711 443, 192.0.2.7",
        "2001:db8::7, 2001:db8::1, PROXY TCP6 2001:db8:0:0:0:0:0:7 2001:db8:0:0:0:0:0:1 4711 443, 2001:db8::7",
        "192.0.2.7, 2001:db8::1, PROXY TCP6 ::ffff:192.0.2.7 2001:db8:0:0:0:0:0:1 4711 443, ::ffff:192.0.2.7",
    })
    void writesWhatTheReaderReads(String client, String local, String line, String read) throws Exception {
        assertThat(new String(write(SentProxyHeader.V1, client, local), StandardCharsets.US_ASCII))
                .isEqualTo(line + "\r\n");
        for (SentProxyHeader version : new SentProxyHeader[] {SentProxyHeader.V1, SentProxyHeader.V2}) {
            byte[] octets = write(version, client, local);

            ProxyHeader header = ProxyHeader.read(octets, octets.length);

            assertThat(header).isNotNull();
            assertThat(header.bytes()).isEqualTo(octets.length);
            assertThat(header.client()).hasValue(new ProxyHeader.Client(IpAddress.parse(read), 4711));
        }
    }

    private static byte[] write(SentProxyHeader version, String client, String local) throws Exception {
        ByteBuf header = ProxyHeaderWriter.write(
                version,
                new InetSocketAddress(InetAddress.getByName(client), 4711),
                new InetSocketAddress(InetAddress.getByName(local), 443),
                UnpooledByteBufAllocator.DEFAULT);
        try {
            return ByteBufUtil.getBytes(header);
        } finally {
            header.release();
        }
    }
}
