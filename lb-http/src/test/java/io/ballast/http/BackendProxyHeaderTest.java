package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.testing.Connections;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests PROXY protocol headers on backend connections with TLS, HTTP/2, or both. */
class BackendProxyHeaderTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final TestCertificate CERTIFICATE = TestCertificate.create();

    @TempDir
    private Path directory;

    @EachTransport
    void headerPrecedesTlsHandshake(TransportKind transport) throws Exception {
        try (TestBackend backend =
                        TestBackend.playing(Script.ok("hello")).proxied().by(CERTIFICATE.server());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .proxyProtocol("127.0.0.0/8")
                        .backendTls(trusting())
                        .connections(new Connections().proxyHeader(SentProxyHeader.V1))
                        .backend(backend)
                        .start()) {
            for (String address : new String[] {"192.0.2.7", "192.0.2.8"}) {
                try (RawClient client = balancer.client()) {
                    client.send("PROXY TCP4 " + address + " 198.51.100.5 4711 8443\r\n" + GET);
                    assertThat(client.read().body()).isEqualTo("hello");
                }
            }

            String end = " 198.51.100.5 4711 8443"; // the client's destination, not the balancer's address
            assertThat(backend.proxyHeaders())
                    .containsExactly("PROXY TCP4 192.0.2.7" + end, "PROXY TCP4 192.0.2.8" + end);
            assertThat(backend.sessions()).hasSize(2);
        }
    }

    @EachTransport
    void http2ConnectionIsSharedPerClientConnection(TransportKind transport) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("hello"))
                        .proxied()
                        .by(CERTIFICATE.server(), "h2");
                TestBalancer balancer = BalancerSetup.on(transport)
                        .loops(1)
                        .proxyProtocol("127.0.0.0/8")
                        .backendTls(trusting())
                        .connections(
                                new Connections().protocol(BackendProtocol.H2).proxyHeader(SentProxyHeader.V1))
                        .backend(backend.address())
                        .start();
                RawClient first = balancer.client();
                RawClient second = balancer.client()) {
            first.send("PROXY TCP4 192.0.2.7 127.0.0.1 4711 80\r\n");
            second.send("PROXY TCP4 192.0.2.7 127.0.0.1 4712 80\r\n");
            for (int i = 0; i < 3; i++) {
                assertThat(first.send(GET).read().body()).isEqualTo("hello");
                assertThat(second.send(GET).read().body()).isEqualTo("hello");
            }

            assertThat(backend.proxyHeaders())
                    .containsExactly(
                            "PROXY TCP4 192.0.2.7 127.0.0.1 4711 80", "PROXY TCP4 192.0.2.7 127.0.0.1 4712 80");
        }
    }

    @Test
    void idleConnectionsAreLimited() throws Exception {
        try (Http2TestBackend backend =
                        Http2TestBackend.playing(Http2Script.ok("hello")).proxied();
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .connections(new Connections()
                                .maxIdlePerLoop(1)
                                .protocol(BackendProtocol.H2C)
                                .proxyHeader(SentProxyHeader.V1))
                        .backend(backend.address())
                        .start();
                RawClient first = balancer.client();
                RawClient second = balancer.client()) {
            assertThat(first.send(GET).read().body()).isEqualTo("hello");
            assertThat(second.send(GET).read().body()).isEqualTo("hello");
            // the balancer closes the first client's connection, which was used less recently
            backend.awaitConnectionEnd();

            assertThat(second.send(GET).read().body()).isEqualTo("hello");
            assertThat(backend.connections()).isEqualTo(2);
            assertThat(first.send(GET).read().body()).isEqualTo("hello");
            assertThat(backend.connections()).isEqualTo(3);
        }
    }

    private BackendTls trusting() throws IOException {
        return new BackendTls(
                Optional.of(CERTIFICATE.write(directory).certificate()),
                Optional.empty(),
                Optional.empty(),
                /* insecure= */ false);
    }
}
