package io.ballast.dns.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.net.doh.DohProtocol;
import io.ballast.dns.net.stream.StreamProtocol;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.StreamServerFixture;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.tls.PlainHttpHandler;
import io.ballast.net.tls.ServerTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that DNS over TLS and DNS over HTTPS check a client's first message as the HTTP listeners do. */
class EncryptedHandshakeTest {

    private static final int TIMEOUT_MILLIS = 60_000;
    private static final DnsTcpConfig BRIEF = new DnsTcpConfig(Duration.ofMinutes(5), Duration.ofMillis(1), 10, 0, 64);
    private static final TestCertificate CERTIFICATE = TestCertificate.create();
    private static final int RECORD_HEADER = 5;
    private static final int MAX_RECORD = 16 * 1024;
    private static final byte HANDSHAKE = 0x16;
    private static final byte ALERT = 0x15;

    private enum Protocol {
        DOT(List.of("dot")) {
            @Override
            StreamProtocol start(ServerTls tls) {
                return StreamProtocol.dot(tls);
            }
        },
        DOH(DohProtocol.APPLICATION_PROTOCOLS) {
            @Override
            StreamProtocol start(ServerTls tls) {
                return new DohProtocol(tls);
            }
        };

        private final List<String> applicationProtocols;

        Protocol(List<String> applicationProtocols) {
            this.applicationProtocols = applicationProtocols;
        }

        abstract StreamProtocol start(ServerTls tls);
    }

    @TempDir
    private Path directory;

    /** RFC 9155: a client that accepts only signatures with SHA-1 gets the alert handshake_failure. */
    @ParameterizedTest
    @EnumSource
    void rejectsClientWithSha1Only(Protocol protocol) throws IOException {
        assertThat(failedHandshake(protocol, tls12HelloWithSha1Only())).containsExactly(ALERT, 3, 3, 0, 2, 2, 40);
    }

    @ParameterizedTest
    @EnumSource
    void rejectsMalformedHello(Protocol protocol) throws IOException {
        byte[] lengthBeyondMessage = HexFormat.of().parseHex("16030300080100000403030000");

        failedHandshake(protocol, lengthBeyondMessage);
    }

    @ParameterizedTest
    @EnumSource
    void rejectsGarbage(Protocol protocol) throws IOException {
        byte[] garbage = new byte[MAX_RECORD];
        Arrays.fill(garbage, (byte) 0xfe);

        failedHandshake(protocol, garbage);
    }

    /**
     * Tests that the server rejects a message because of its announced length, before it receives the whole message.
     */
    @ParameterizedTest
    @EnumSource
    void rejectsOversizedHelloAtItsFirstBytes(Protocol protocol) throws IOException {
        byte[] announced = ByteBuffer.allocate(RECORD_HEADER + MAX_RECORD)
                .put(HANDSHAKE)
                .putShort((short) 0x0301)
                .putShort((short) MAX_RECORD)
                .putInt(0x01_00_80_01) // client_hello of 32 KiB and one byte
                .array();

        failedHandshake(protocol, announced);
    }

    @ParameterizedTest
    @EnumSource
    void closesSlowClient(Protocol protocol) throws Exception {
        byte[] hello = hello("localhost");
        try (ServerTls tls = open(protocol);
                StreamServerFixture server =
                        new StreamServerFixture(new ZoneFixture(), BRIEF, protocol.start(tls), Optional.empty());
                Socket socket = connect(server)) {
            socket.getOutputStream().write(hello, 0, hello.length - 1);

            assertThat(readAll(socket)).isEmpty();
            assertThat(server.sum(DnsCounter.SLOW_SENDER)).isOne();
            assertThat(server.sum(DnsCounter.TLS_FAILED)).isZero();
            assertThat(server.sum(DnsCounter.ERRORS)).isZero();
        }
    }

    /** Tests a ClientHello that is split into several records (RFC 8446 section 5.1) and TCP segments. */
    @ParameterizedTest
    @EnumSource
    void acceptsFragmentedHello(Protocol protocol) throws Exception {
        byte[] records = split(hello("localhost"), /* fragmentBytes= */ 50);
        try (ServerTls tls = open(protocol);
                StreamServerFixture server = serve(protocol, tls);
                Socket socket = connect(server)) {
            for (byte b : records) {
                socket.getOutputStream().write(b);
            }

            assertThat(socket.getInputStream().read()).as("a ServerHello").isEqualTo(HANDSHAKE);
            assertThat(server.sum(DnsCounter.TLS_FAILED)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void unknownNameGetsConfiguredCertificate(Protocol protocol) throws Exception {
        try (ServerTls tls = open(protocol);
                StreamServerFixture server = serve(protocol, tls);
                SSLSocket socket = (SSLSocket) CERTIFICATE
                        .client()
                        .getSocketFactory()
                        .createSocket(
                                server.address().getAddress(), server.address().getPort())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName("unknown.example")));
            socket.setSSLParameters(parameters);
            socket.startHandshake();

            assertThat(socket.getSession().getPeerCertificates()[0]).isEqualTo(CERTIFICATE.certificate());
            assertThat(server.sum(DnsCounter.TLS_FAILED)).isZero();
        }
    }

    @Test
    void plainHttpToDohGetsErrorResponse() throws IOException {
        byte[] request = "GET /dns-query?dns= HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        assertThat(new String(failedHandshake(Protocol.DOH, request), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 400 Bad Request\r\n")
                .endsWith(PlainHttpHandler.ERROR_MESSAGE + "\n");
    }

    /** Returns the bytes that the server sends to a client with invalid data before it closes the connection. */
    private byte[] failedHandshake(Protocol protocol, byte[] sent) throws IOException {
        try (ServerTls tls = open(protocol);
                StreamServerFixture server = serve(protocol, tls);
                Socket socket = connect(server)) {
            socket.getOutputStream().write(sent);
            byte[] received = readAll(socket);

            server.awaitSum(DnsCounter.CONNECTIONS_CLOSED, 1);
            assertThat(server.sum(DnsCounter.TLS_FAILED)).isOne();
            assertThat(server.sum(DnsCounter.ERRORS)).isZero();
            return received;
        }
    }

    private ServerTls open(Protocol protocol) throws IOException {
        return ServerTls.open(ListenerTls.of(CERTIFICATE.write(directory)), protocol.applicationProtocols);
    }

    private static StreamServerFixture serve(Protocol protocol, ServerTls tls) throws IOException {
        return new StreamServerFixture(new ZoneFixture(), DnsTcpConfig.DEFAULT, protocol.start(tls), Optional.empty());
    }

    private static Socket connect(StreamServerFixture server) throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** Reads until the server closes the connection, in order or by a reset. */
    private static byte[] readAll(Socket socket) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(all);
        } catch (SocketException reset) {
            // Return the bytes that were received before the reset.
        }
        return all.toByteArray();
    }

    /** Returns the first message of Java's TLS client, in one record. */
    private static byte[] hello(String host) throws IOException {
        SSLEngine engine = CERTIFICATE.client().createSSLEngine(host, 853);
        engine.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        return Arrays.copyOf(record.array(), record.position());
    }

    /** Splits the message of one record into records of {@code fragmentBytes}. */
    private static byte[] split(byte[] record, int fragmentBytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = RECORD_HEADER; at < record.length; at += fragmentBytes) {
            int length = Math.min(fragmentBytes, record.length - at);
            out.writeBytes(new byte[] {record[0], record[1], record[2], (byte) (length >> 8), (byte) length});
            out.write(record, at, length);
        }
        return out.toByteArray();
    }

    /** Returns the ClientHello of a TLS 1.2 client that supports secp256r1 and accepts only ecdsa_sha1 signatures. */
    private static byte[] tls12HelloWithSha1Only() {
        String ciphers = "0002" + "c02b"; // ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
        String extensions = "000a" + "0004" + "00020017" + "000d" + "0004" + "00020203";
        String body = "0303" + "00".repeat(32) + "00" + ciphers + "0100" + length(extensions) + extensions;
        String message = "0100" + length(body) + body;
        return HexFormat.of().parseHex("160301" + length(message) + message);
    }

    private static String length(String hex) {
        return String.format("%04x", hex.length() / 2);
    }
}
