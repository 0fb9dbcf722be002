package io.ballast.dns.net.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.TlsFiles;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.StreamServerFixture;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.ProxyProtocolConfig;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsContext;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Type;

/** Tests DNS over TLS with the JDK's client. */
class DotTest {

    private static final String NAME = "app.example.com";
    private static final Duration LONG = Duration.ofMinutes(5);

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web"));
    private TestCertificate certificate = TestCertificate.create();

    @TempDir
    private Path directory;

    private TlsFiles files;

    static List<SslProvider> providers() {
        List<SslProvider> providers = new ArrayList<>(List.of(SslProvider.JDK));
        if (OpenSsl.isAvailable()) {
            providers.add(SslProvider.OPENSSL_REFCNT);
        }
        return providers;
    }

    @BeforeEach
    void writeFiles() throws IOException {
        files = certificate.write(directory);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void answersOverTls12AndTls13(SslProvider provider) throws IOException {
        try (ServerTls tls = open(provider);
                StreamServerFixture server = serve(tls)) {
            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                try (SSLSocket socket = socket(server)) {
                    socket.setEnabledProtocols(new String[] {version});
                    StreamClient client = new StreamClient(socket);

                    assertThat(Messages.answers(client.query(NAME, Type.A))).containsExactly("192.0.2.1");
                    byte[] query =
                            StreamClient.framed(Messages.query(NAME, Type.A).toWire());
                    client.send(query);
                    client.send(query);
                    assertThat(Messages.answers(client.receive())).hasSize(1);
                    assertThat(Messages.answers(client.receive())).hasSize(1);
                    assertThat(socket.getSession().getProtocol()).isEqualTo(version);
                }
            }
            assertThat(server.sum(DnsCounter.QUERIES_DOT)).isEqualTo(6);
            assertThat(server.sum(DnsCounter.QUERIES_TCP)).isZero();
            assertThat(server.sum(DnsCounter.ERRORS)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void negotiatesDotAndServesClientsWithoutAlpn(SslProvider provider) throws IOException {
        try (ServerTls tls = open(provider);
                StreamServerFixture server = serve(tls)) {
            for (String offered : List.of("dot", "")) {
                try (SSLSocket socket = socket(server)) {
                    SSLParameters parameters = socket.getSSLParameters();
                    parameters.setApplicationProtocols(
                            offered.isEmpty() ? new String[0] : new String[] {"other", offered});
                    socket.setSSLParameters(parameters);

                    assertThat(Messages.answers(new StreamClient(socket).query(NAME, Type.A)))
                            .hasSize(1);
                    assertThat(socket.getApplicationProtocol()).isEqualTo(offered);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void servesRsaKeys(SslProvider provider) throws IOException {
        certificate = TestCertificate.create(Algorithm.rsa2048);
        files = certificate.write(directory);
        try (ServerTls tls = open(provider);
                StreamServerFixture server = serve(tls);
                SSLSocket socket = socket(server)) {
            assertThat(Messages.answers(new StreamClient(socket).query(NAME, Type.A)))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void countsFailedHandshakes(SslProvider provider) throws IOException {
        try (ServerTls tls = open(provider);
                StreamServerFixture server = serve(tls)) {
            try (StreamClient plain = new StreamClient(server.address())) {
                plain.send(StreamClient.framed(Messages.query(NAME, Type.A).toWire()));
                server.awaitSum(DnsCounter.CONNECTIONS_CLOSED, 1);
            }
            assertThat(server.sum(DnsCounter.TLS_FAILED)).isEqualTo(1);

            try (Socket socket = TestCertificate.create()
                    .client()
                    .getSocketFactory()
                    .createSocket(
                            server.address().getAddress(), server.address().getPort())) {
                assertThatThrownBy(() -> new StreamClient(socket).query(NAME, Type.A))
                        .isInstanceOf(IOException.class);
            }
            server.awaitSum(DnsCounter.CONNECTIONS_CLOSED, 2);
            assertThat(server.sum(DnsCounter.QUERIES_DOT)).isZero();
            assertThat(server.sum(DnsCounter.ERRORS)).isZero();
        }
    }

    @Test
    void stalledHandshakesTimeOut() throws IOException {
        DnsTcpConfig brief = new DnsTcpConfig(LONG, Duration.ofMillis(1), 10, 0, 64);
        try (ServerTls tls = open(TlsContext.preferredProvider());
                StreamServerFixture server =
                        new StreamServerFixture(fixture, brief, StreamProtocol.dot(tls), Optional.empty());
                StreamClient client = new StreamClient(server.address())) {
            client.send(new byte[] {0x16, 0x03, 0x01});

            client.awaitEnd();
            assertThat(server.sum(DnsCounter.SLOW_SENDER)).isEqualTo(1);
            assertThat(server.sum(DnsCounter.TLS_FAILED)).isZero();
        }
    }

    @Test
    void proxyHeaderPrecedesHandshake() throws IOException {
        ProxyProtocolConfig trusted = new ProxyProtocolConfig(List.of(Cidr.parse("127.0.0.0/8")));
        try (ServerTls tls = open(TlsContext.preferredProvider());
                StreamServerFixture server = new StreamServerFixture(
                        fixture, DnsTcpConfig.DEFAULT, StreamProtocol.dot(tls), Optional.of(trusted));
                Socket below = new Socket(
                        server.address().getAddress(), server.address().getPort())) {
            below.getOutputStream()
                    .write("PROXY TCP4 203.0.113.1 192.0.2.1 4711 853\r\n".getBytes(StandardCharsets.US_ASCII));
            Socket socket = certificate
                    .client()
                    .getSocketFactory()
                    .createSocket(below, "localhost", below.getPort(), /* autoClose= */ true);

            assertThat(Messages.answers(new StreamClient(socket).query(NAME, Type.A)))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void newConnectionsUseNewCertificate(SslProvider provider) throws IOException {
        try (ServerTls tls = open(provider);
                StreamServerFixture server = serve(tls);
                SSLSocket old = socket(server)) {
            StreamClient client = new StreamClient(old);
            assertThat(Messages.answers(client.query(NAME, Type.A))).hasSize(1);

            replaceFiles();
            tls.refresh();

            assertThat(served(server)).isEqualTo(certificate.certificate());
            assertThat(Messages.answers(client.query(NAME, Type.A))).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"})
    void brokenFilesKeepOldCertificate(String key) throws IOException {
        try (ServerTls tls = open(TlsContext.preferredProvider());
                StreamServerFixture server = serve(tls)) {
            Files.writeString(files.key(), key);
            tls.refresh();
            assertThat(served(server)).isEqualTo(certificate.certificate());

            replaceFiles();
            tls.refresh();
            assertThat(served(server)).isEqualTo(certificate.certificate());
        }
    }

    private void replaceFiles() throws IOException {
        certificate = TestCertificate.create();
        certificate.write(directory);
        // Ensures a changed time, even if the file system clock has not advanced.
        Files.setLastModifiedTime(files.key(), FileTime.from(Instant.EPOCH));
    }

    private Certificate served(StreamServerFixture server) throws IOException {
        try (SSLSocket socket = socket(server)) {
            assertThat(Messages.answers(new StreamClient(socket).query(NAME, Type.A)))
                    .hasSize(1);
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    private ServerTls open(SslProvider provider) throws IOException {
        return ServerTls.open(ListenerTls.of(files), provider, List.of("dot"));
    }

    private StreamServerFixture serve(ServerTls tls) throws IOException {
        return new StreamServerFixture(fixture, DnsTcpConfig.DEFAULT, StreamProtocol.dot(tls), Optional.empty());
    }

    private SSLSocket socket(StreamServerFixture server) throws IOException {
        return (SSLSocket) certificate
                .client()
                .getSocketFactory()
                .createSocket(server.address().getAddress(), server.address().getPort());
    }
}
