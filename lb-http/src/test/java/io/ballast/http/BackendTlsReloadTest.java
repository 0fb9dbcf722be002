package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendTls;
import io.ballast.core.pool.Pool;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;

/** Tests reloads that remove TLS pools or change their TLS settings while requests wait for connections. */
class BackendTlsReloadTest {

    private static final String GET = "GET /pay HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String PAY = "pay";
    private static final TestCertificate CERTIFICATE = TestCertificate.create();

    @TempDir
    private Path directory;

    private final CountDownLatch release = new CountDownLatch(1);

    /** Waits until the test releases it, then responds and closes the connection. */
    private final Script held = connection -> {
        connection.readRequest();
        connection.await(release).send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
        connection.close();
    };

    @EachTransport
    void queuedRequestOfRemovedPoolUsesTls(TransportKind transport) throws Exception {
        try (TestBackend rest = TestBackend.playing(Script.ok("rest"));
                TestBackend pay = TestBackend.playing(held).by(CERTIFICATE.server());
                TestBalancer balancer = withPay(transport, rest, pay).start();
                RawClient first = balancer.client().send(GET);
                RawClient second = balancer.client()) {
            waitBehind(first, second, pay, balancer);

            balancer.reload(common(transport, rest));
            release.countDown();

            assertThat(first.read().body()).isEqualTo("ok");
            assertThat(second.read().body()).isEqualTo("ok");
            assertThat(pay.sessions()).hasSize(2);
        }
    }

    @EachTransport
    void removedTlsNeverSendsPlaintext(TransportKind transport) throws Exception {
        try (TestBackend rest = TestBackend.playing(Script.ok("rest"));
                TestBackend pay = TestBackend.playing(held).by(CERTIFICATE.server());
                TestBalancer balancer = withPay(transport, rest, pay).start();
                RawClient first = balancer.client().send(GET);
                RawClient second = balancer.client()) {
            waitBehind(first, second, pay, balancer);

            balancer.reload(common(transport, rest));
            balancer.reload(common(transport, rest).upgrades("websocket"));
            release.countDown();

            assertThat(first.read().body()).isEqualTo("ok");
            assertThat(second.read().status()).isEqualTo(502);
            assertThat(balancer.count(Failure.CONNECT_FAILED)).isEqualTo(1);
            assertThat(pay.connections()).isEqualTo(1);
        }
    }

    @EachTransport
    void sessionOfRemovedListenerUsesTls(TransportKind transport) throws Exception {
        try (TestBackend backend =
                TestBackend.accepting(connection -> connection.echo()).by(CERTIFICATE.server())) {
            BalancerSetup setup = common(transport, backend).maxInFlight(1).queue(10, TestTimeout.LIMIT);
            try (TestBalancer balancer = setup.protocol(ListenerProtocol.TCP).start();
                    RawClient first = connected(balancer);
                    RawClient second = balancer.client().send("b")) {
                balancer.await("it waits", () -> balancer.pool().waitingRequests() == 1);

                balancer.reload(common(transport, backend).maxInFlight(1).queue(10, TestTimeout.LIMIT));
                first.close();

                assertThat(second.readExactly(1)).isEqualTo("b");
                assertThat(backend.sessions()).hasSize(2);
            }
        }
    }

    private static RawClient connected(TestBalancer balancer) {
        RawClient client = balancer.client();
        assertThat(client.send("a").readExactly(1)).isEqualTo("a");
        return client;
    }

    private static void waitBehind(RawClient first, RawClient second, TestBackend pay, TestBalancer balancer)
            throws InterruptedException {
        assertThat(first).isNotNull();
        pay.nextRequest();
        Pool pool = balancer.pool(PAY);
        second.send(GET);
        balancer.await("it waits", () -> pool.waitingRequests() == 1);
    }

    private BalancerSetup withPay(TransportKind transport, TestBackend rest, TestBackend pay) throws IOException {
        return common(transport, rest)
                .maxInFlight(1)
                .queue(10, TestTimeout.LIMIT)
                .pool(PAY, pay)
                .route(RouteConfig.of(null, "/pay", new RouteAction.ToPool(PAY)));
    }

    private BalancerSetup common(TransportKind transport, TestBackend rest) throws IOException {
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        return BalancerSetup.on(transport)
                .grace(TestTimeout.LIMIT)
                .backendTls(new BackendTls(Optional.of(ca), Optional.empty(), Optional.empty(), /* insecure= */ false))
                .backend(rest);
    }
}
