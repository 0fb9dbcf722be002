package io.ballast.net.proxyprotocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.net.IpAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProxyHeaderWriterTest {

    private static final SocketAddress UNIX = UnixDomainSocketAddress.of("/run/web.sock");

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
            byte[] bytes = write(version, client, local);

            ProxyHeader header = ProxyHeader.read(bytes, bytes.length);

            assertThat(header).isNotNull();
            assertThat(header.bytes()).isEqualTo(bytes.length);
            assertThat(header.client()).hasValue(new ProxyHeader.Endpoint(IpAddress.parse(read), 4711));
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void unixSocketClientIsUnknown(SentProxyHeader version) throws Exception {
        byte[] bytes = write(version, UNIX, UNIX);

        ProxyHeader header = ProxyHeader.read(bytes, bytes.length);

        assertThat(header).isNotNull();
        assertThat(header.bytes()).isEqualTo(bytes.length);
        assertThat(header.client()).isEmpty();
    }

    /** Tests a client whose address a proxy has sent over a Unix socket. Its destination is unknown. */
    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @CsvSource({
        "192.0.2.7, PROXY TCP4 192.0.2.7 0.0.0.0 4711 0",
        "2001:db8::7, PROXY TCP6 2001:db8:0:0:0:0:0:7 0:0:0:0:0:0:0:0 4711 0"
    })
    void unknownTargetIsWrittenAsWildcard(String client, String line) throws Exception {
        InetSocketAddress from = new InetSocketAddress(InetAddress.getByName(client), 4711);

        assertThat(new String(write(SentProxyHeader.V1, from, UNIX), StandardCharsets.US_ASCII))
                .isEqualTo(line + "\r\n");
    }

    private static byte[] write(SentProxyHeader version, String client, String local) throws Exception {
        return write(
                version,
                new InetSocketAddress(InetAddress.getByName(client), 4711),
                new InetSocketAddress(InetAddress.getByName(local), 443));
    }

    private static byte[] write(SentProxyHeader version, SocketAddress client, SocketAddress local) {
        ByteBuf header = ProxyHeaderWriter.write(version, client, local, UnpooledByteBufAllocator.DEFAULT);
        try {
            return ByteBufUtil.getBytes(header);
        } finally {
            header.release();
        }
    }
}
