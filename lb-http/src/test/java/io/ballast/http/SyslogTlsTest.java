package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.AccessLogConfig.Format;
import io.ballast.http.config.SyslogConfig;
import io.ballast.http.config.SyslogConfig.Facility;
import io.ballast.http.config.SyslogServer;
import io.ballast.http.config.SyslogTls;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.fetch.CaFile;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the access log that a syslog server receives over TLS (RFC 5425). */
@Timeout(60)
class SyslogTlsTest {

    private static final TestCertificate CERTIFICATE = TestCertificate.forHosts("logs.example");
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private static SSLServerSocket server() throws IOException {
        return (SSLServerSocket) CERTIFICATE
                .server()
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    private static AccessLogConfig log(SSLServerSocket server, TestCertificate ca, Optional<String> name)
            throws IOException {
        SyslogConfig syslog = new SyslogConfig(
                SyslogServer.parse("tls://127.0.0.1:" + server.getLocalPort()),
                Facility.LOCAL0,
                "ballast",
                Optional.of("edge"),
                8192,
                new SyslogTls(Optional.of(CaFile.parse(Path.of("ca.pem"), ca.certificatePem())), name));
        return new AccessLogConfig(
                AccessLogConfig.STDOUT, Format.JSON, AccessLogConfig.MIN_QUEUE_BYTES, Optional.of(syslog));
    }

    private static TestBalancer start(TestBackend backend, AccessLogConfig log) throws IOException {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .accessLog(log)
                .start();
    }

    private static void ask(TestBalancer balancer) {
        try (RawClient client = balancer.client()) {
            client.send(REQUEST).read();
        }
    }

    private static String nextFrame(InputStream in) throws IOException {
        StringBuilder length = new StringBuilder();
        int c = in.read();
        while (c != ' ') {
            assertThat(c).isNotEqualTo(-1);
            length.append((char) c);
            c = in.read();
        }
        return new String(in.readNBytes(Integer.parseInt(length.toString())), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void messagesAreEncryptedAndHaveTheirLength(String version) throws Exception {
        try (SSLServerSocket server = server();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, log(server, CERTIFICATE, Optional.empty()))) {
            server.setEnabledProtocols(new String[] {version});
            ask(balancer);
            ask(balancer);
            try (Socket accepted = server.accept()) {
                for (int i = 1; i <= 2; i++) {
                    assertThat(nextFrame(accepted.getInputStream()))
                            .startsWith("<134>1 ")
                            .contains(" access [meta sequenceId=\"" + i + "\"] {")
                            .endsWith("}");
                }
                balancer.close();
                assertThat(accepted.getInputStream().read()).isEqualTo(-1); // after the alert close_notify
            }
        }
    }

    @Test
    void serverIsVerifiedByTheConfiguredName() throws Exception {
        try (SSLServerSocket server = server();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, log(server, CERTIFICATE, Optional.of("logs.example")))) {
            ask(balancer);
            try (Socket accepted = server.accept()) {
                assertThat(nextFrame(accepted.getInputStream())).contains("\"status\":200");
            }
        }
    }

    @Test
    void serverWithAnotherNameGetsNoMessage() throws Exception {
        try (SSLServerSocket server = server();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, log(server, CERTIFICATE, Optional.of("other.example")))) {
            ask(balancer);
            assertRefused(server);
        }
    }

    @Test
    void serverOfAnotherAuthorityGetsNoMessage() throws Exception {
        try (SSLServerSocket server = server();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, log(server, TestCertificate.create(), Optional.empty()))) {
            ask(balancer);
            assertRefused(server);
        }
    }

    private static void assertRefused(SSLServerSocket server) throws IOException {
        try (Socket accepted = server.accept()) {
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        } catch (SSLException refused) {
            assertThat(refused).hasMessageContaining("certificate");
        } catch (SocketException closed) {
            // The client can close the connection while the server still writes its part of the handshake.
            assertThat(closed).hasMessageMatching("Broken pipe|Connection reset.*");
        }
    }

    @Test
    void messagesFollowOnANewConnection() throws Exception {
        try (SSLServerSocket server = server();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, log(server, CERTIFICATE, Optional.empty()))) {
            ask(balancer);
            try (Socket accepted = server.accept()) {
                assertThat(nextFrame(accepted.getInputStream())).contains("sequenceId=\"1\"");
            }
            ask(balancer);
            try (Socket accepted = server.accept()) {
                assertThat(nextFrame(accepted.getInputStream())).contains("sequenceId=\"2\"");
            }
        }
    }
}
