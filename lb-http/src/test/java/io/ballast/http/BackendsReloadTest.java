package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Tests the removal of backends and changes of connection settings while requests run. */
class BackendsReloadTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void idleConnectionOfRemovedBackendIsClosed(TransportKind transport) throws Exception {
        try (TestBackend first = TestBackend.playing(Script.ok("first"));
                TestBackend second = TestBackend.playing(Script.ok("second"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(first).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("first");

            balancer.reload(BalancerSetup.on(transport).backend(second));

            first.awaitConnectionEnd();
            assertThat(client.send(GET).read().body()).isEqualTo("second");
        }
    }

    @EachTransport
    void exchangeOnRemovedBackendCompletes(TransportKind transport) throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        Script slow = connection -> {
            connection.readRequest();
            connection.await(left).send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
        };
        try (TestBackend first = TestBackend.playing(slow);
                TestBackend second = TestBackend.playing(Script.ok("second"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(first).start();
                RawClient client = balancer.client()) {
            client.send(GET);
            first.nextRequest();

            balancer.reload(BalancerSetup.on(transport).backend(second));
            left.countDown();

            assertThat(client.read().body()).isEqualTo("first");
            first.awaitConnectionEnd(); // the balancer closes the connection, although the response allowed its reuse
            assertThat(client.send(GET).read().body()).isEqualTo("second");
        }
    }

    @EachTransport
    void changedConnectionSettingsReconnect(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start();
                    RawClient client = balancer.client()) {
                client.send(GET).read();
                client.send(GET).read();
                assertThat(backend.connections()).isEqualTo(1);

                balancer.reload(setup.connections(new Connections().responseTimeout(Duration.ofSeconds(7))));
                backend.awaitConnectionEnd();
                client.send(GET).read();

                assertThat(backend.connections()).isEqualTo(2);
            }
        }
    }

    @EachTransport
    void http2ConnectionClosesAfterItsExchanges(TransportKind transport) throws Exception {
        CountDownLatch came = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        Http2Script slow = connection -> {
            connection.begin();
            Http2Request request = connection.heads(1).get(0);
            came.countDown();
            left.await();
            connection.answer(request, "first");
            connection.readToEnd();
        };
        try (Http2TestBackend first = Http2TestBackend.playing(slow);
                TestBackend second = TestBackend.playing(Script.ok("second"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(first.address())
                        .protocol(BackendProtocol.H2C)
                        .start();
                RawClient client = balancer.client()) {
            client.send(GET);
            came.await();

            balancer.reload(BalancerSetup.on(transport).backend(second));
            left.countDown();

            assertThat(client.read().body()).isEqualTo("first");
            first.awaitConnectionEnd();
            assertThat(client.send(GET).read().body()).isEqualTo("second");
        }
    }

    @EachTransport
    void connectionForQueuedRequestOfRemovedPoolIsNotKept(TransportKind transport) throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        try (TestBackend web = TestBackend.playing(Script.ok("web"));
                TestBackend api = TestBackend.playing(Script.okAfter(left, "api"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(web)
                        .maxInFlight(1)
                        .queue(10, TestTimeout.LIMIT)
                        .pool("api", api)
                        .route(RouteConfig.of(null, "/", new RouteAction.ToPool("api")))
                        .start();
                RawClient first = balancer.client().send(GET);
                RawClient second = balancer.client()) {
            api.nextRequest();
            Pool pool = balancer.pool("api");
            second.send(GET);
            balancer.await("it waits", () -> pool.waitingRequests() == 1);

            balancer.reload(BalancerSetup.on(transport).backend(web));
            left.countDown();

            assertThat(first.read().body()).isEqualTo("api");
            api.awaitConnectionEnd();
            assertThat(second.read().body()).isEqualTo("api");
            api.awaitConnectionEnd();
        }
    }

    /** Sends a request during the reload, while the event loop still has the old routes. */
    @EachTransport
    void oldRoutesUseOldBackends(TransportKind transport) throws Exception {
        try (TestBackend first = TestBackend.playing(Script.ok("first"));
                TestBackend second = TestBackend.playing(Script.ok("second"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(first).start();
                RawClient client = balancer.client()) {
            StringBuilder halfWay = new StringBuilder();

            balancer.reload(
                    BalancerSetup.on(transport).backend(second),
                    () -> {},
                    () -> halfWay.append(client.send(GET).read().body()));

            assertThat(halfWay).hasToString("first");
            assertThat(client.send(GET).read().body()).isEqualTo("second");
        }
    }
}
