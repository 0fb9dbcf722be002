package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a handshake for the challenge of a certificate authority carries no request (RFC 8737 section 3). */
class ChallengeHandshakeTest {

    private static final String HOST = "app.example";
    private static final TestCertificate USUAL = TestCertificate.forHosts(HOST);
    private static final TestCertificate CHALLENGE = TestCertificate.forHosts(HOST);
    private static final int TIMEOUT_MILLIS = 60_000;

    @TempDir
    private Path directory;

    @Test
    void connectionClosesAfterHandshake() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .tls(ListenerTls.of(USUAL.write(directory)))
                        .backend(backend)
                        .start()) {
            balancer.frontend()
                    .challengeCertificates()
                    .put(HOST, new TlsIdentity(CHALLENGE.key(), List.of(CHALLENGE.certificate())));

            assertThat(request(balancer.port(), "http/1.1")).startsWith("HTTP/1.1 200");
            assertThat(request(balancer.port(), "acme-tls/1")).isEmpty();
            assertThat(backend.connections()).isOne();
        }
    }

    /** Sends a request after a handshake with the protocol; returns the response, which may be empty. */
    private static String request(int port, String protocol) throws Exception {
        TestCertificate served = protocol.equals("acme-tls/1") ? CHALLENGE : USUAL;
        try (SSLSocket socket = (SSLSocket) served.client().getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(HOST)));
            parameters.setApplicationProtocols(new String[] {protocol});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEqualTo(protocol);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException closed) {
            return ""; // the balancer has closed the connection without a response
        }
    }
}
