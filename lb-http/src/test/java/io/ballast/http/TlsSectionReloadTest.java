package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.io.TempDir;

/** Tests TLS changes of a listener while clients are connected. */
class TlsSectionReloadTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    private Path directory;

    private final TestCertificate former = TestCertificate.create();
    private final TestCertificate next = TestCertificate.create();

    @EachTransport
    void newHandshakesUseNewCertificate(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).tls(tls("former", former));
            try (TestBalancer balancer = setup.start();
                    RawClient old = RawClient.connect(balancer.port(), former.client(), "localhost")) {
                old.send(GET).read();

                balancer.reload(setup.tls(tls("next", next)));

                assertThat(old.send(GET).read().header("Connection")).isEqualTo("close");
                try (RawClient client = RawClient.connect(balancer.port(), next.client(), "localhost")) {
                    assertThat(client.send(GET).read().header("Connection")).isNull();
                }
                assertThat(balancer.frontend().activeListeners().get(0).identities())
                        .extracting(context -> context.identity().certificate())
                        .containsExactly(next.certificate());
            }
        }
    }

    @EachTransport
    void unchangedSectionKeepsContext(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).tls(tls("former", former));
            try (TestBalancer balancer = setup.start()) {
                var before = balancer.frontend().identities(0);

                balancer.reload(setup.upgrades());

                assertThat(balancer.frontend().identities(0)).isEqualTo(before);
                try (RawClient client = RawClient.connect(balancer.port(), former.client(), "localhost")) {
                    assertThat(client.send(GET).read().body()).isEqualTo("ok");
                }
            }
        }
    }

    @EachTransport
    void pendingHandshakeSurvivesReload(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).tls(both("first", former, next));
            try (TestBalancer balancer = setup.start();
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), balancer.port())) {
                balancer.await("it is there", () -> balancer.listener().openConnections() == 1);

                balancer.reload(setup.tls(tls("second", next)));
                balancer.reload(setup.upgrades());

                SSLSocket secured = (SSLSocket) former.client()
                        .getSocketFactory()
                        .createSocket(socket, "localhost", balancer.port(), /* autoClose= */ true);
                secured.startHandshake();
                assertThat(secured.getSession().getPeerCertificates()[0]).isEqualTo(former.certificate());
            }
        }
    }

    private ListenerTls tls(String name, TestCertificate certificate) throws IOException {
        return ListenerTls.of(certificate.write(directory, name));
    }

    private ListenerTls both(String name, TestCertificate first, TestCertificate second) throws IOException {
        return new ListenerTls(
                List.of(first.write(directory, name + "-1"), second.write(directory, name + "-2")),
                ListenerTls.DEFAULT_PROFILE,
                Optional.empty(),
                Optional.empty());
    }
}
