package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tests changes of routes and listener settings while clients are connected. */
class HttpSettingsReloadTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final RouteConfig TO_OTHER = RouteConfig.of(null, null, new RouteAction.ToPool("other"));

    @EachTransport
    void nextRequestUsesNewRoute(TransportKind transport) throws Exception {
        try (TestBackend first = TestBackend.playing(Script.ok("first"));
                TestBackend other = TestBackend.playing(Script.ok("other"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(first).pool("other", other);
            try (TestBalancer balancer = setup.start();
                    RawClient client = balancer.client()) {
                assertThat(client.send(GET).read().body()).isEqualTo("first");

                balancer.reload(setup.route(TO_OTHER));

                RawResponse next = client.send(GET).read();
                assertThat(next.body()).isEqualTo("other");
                assertThat(next.header("Connection")).isNull();
                assertThat(client.send(GET).read().body()).isEqualTo("other");
            }
        }
    }

    @EachTransport
    void routesAreCompiledWithNewPools(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo())) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start();
                    RawClient client = balancer.client()) {
                assertThat(client.send(GET).read().body()).doesNotContain("X-Pool");

                balancer.reload(setup.poolHeaders(TestHeaderRules.request("X-Pool", "next")));

                assertThat(client.send(GET).read().body()).contains("X-Pool: next");
            }
        }
    }

    @EachTransport
    void oldConnectionsCloseAfterNextResponse(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start();
                    RawClient client = balancer.client()) {
                client.send(GET).read();

                balancer.reload(setup.limits(new Limits().bodyBytes(1)));

                assertThat(client.send(GET).read().header("Connection")).isEqualTo("close");
                assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
                try (RawClient later = balancer.client()) {
                    assertThat(later.send(GET).read().header("Connection")).isNull();
                    assertThat(later.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab")
                                    .read()
                                    .status())
                            .isEqualTo(413);
                }
            }
        }
    }

    @EachTransport
    void keptConnectionServesOneMoreResponse(TransportKind transport) throws Exception {
        CountDownLatch rest = new CountDownLatch(1);
        Script slow = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab");
            connection.await(rest).send("cd");
        };
        try (TestBackend backend = TestBackend.playing(slow, Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start();
                    RawClient client = balancer.client()) {
                assertThat(client.send(GET).readHead()).doesNotContain("Connection: close");

                balancer.reload(setup.limits(new Limits().bodyBytes(1)));
                rest.countDown();

                assertThat(client.readExactly(4)).isEqualTo("abcd");
                assertThat(client.send(GET).read().header("Connection")).isEqualTo("close");
            }
        }
    }

    @EachTransport
    void http2ConnectionsGetGoawayAfterNextStream(TransportKind transport) throws Exception {
        try (TestBackend first = TestBackend.playing(Script.ok("first"));
                TestBackend other = TestBackend.playing(Script.ok("other"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(first).pool("other", other);
            try (TestBalancer balancer = setup.start();
                    Http2Client client = Http2Client.connect(balancer.port())) {
                assertThat(client.read(client.get("/")).body()).isEqualTo("first");

                balancer.reload(setup.route(TO_OTHER));
                assertThat(client.read(client.get("/")).body()).isEqualTo("other");
                assertThat(client.goAways()).isZero();

                balancer.reload(setup.limits(new Limits().requestsPerConnection(1000)));
                assertThat(client.read(client.get("/")).body()).isEqualTo("other");
                client.readAll();
                assertThat(client.goAways()).isEqualTo(1);
            }
        }
    }

    @EachTransport
    void clientConnectionLimitChangesWithExactCounts(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup =
                    BalancerSetup.on(transport).backend(backend).limits(new Limits().connectionsPerClient(2));
            try (TestBalancer balancer = setup.start()) {
                List<RawClient> clients = new ArrayList<>();
                clients.add(served(balancer));
                clients.add(served(balancer));
                balancer.reload(setup.limits(new Limits().connectionsPerClient(3)));
                clients.add(served(balancer));
                assertRefused(balancer);
                assertThat(balancer.listener().openConnections()).isEqualTo(3);

                balancer.reload(setup.limits(ClientLimits.DEFAULT));
                clients.add(served(balancer));
                clients.forEach(RawClient::close);
                balancer.await("all are gone", () -> balancer.listener().openConnections() == 0);

                balancer.reload(setup.limits(new Limits().connectionsPerClient(1)));
                try (RawClient only = served(balancer)) {
                    assertRefused(balancer);
                    assertThat(only.send(GET).read().body()).isEqualTo("ok");
                }
            }
        }
    }

    @EachTransport
    void connectionLimitChanges(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup =
                    BalancerSetup.on(transport).backend(backend).limits(ClientLimits.DEFAULT.withConnections(1));
            try (TestBalancer balancer = setup.start();
                    RawClient first = served(balancer)) {
                try (RawClient refused = balancer.client()) {
                    refused.endAfterAll();
                }
                balancer.reload(setup.limits(ClientLimits.DEFAULT.withConnections(2)));

                served(balancer).close();

                assertThat(balancer.count(ListenerCounter.CONNECTIONS_REFUSED)).isEqualTo(1);
                assertThat(first.send(GET).read().header("Connection")).isEqualTo("close");
            }
        }
    }

    @EachTransport
    void requestLimitChangesWithExactCounts(TransportKind transport) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).limits(new Limits().inFlight(1));
            try (TestBalancer balancer = setup.start();
                    RawClient counted = balancer.client();
                    RawClient uncounted = balancer.client();
                    RawClient refused = balancer.client()) {
                counted.send(GET);
                backend.nextRequest();
                balancer.reload(setup.limits(ClientLimits.DEFAULT));
                uncounted.send(GET);
                backend.nextRequest();
                balancer.reload(setup.limits(new Limits().inFlight(1)));

                assertThat(refused.send(GET).read().status()).isEqualTo(503);
                answer.countDown();
                assertThat(counted.read().body()).isEqualTo("ok");
                assertThat(uncounted.read().body()).isEqualTo("ok");

                balancer.await("none runs", () -> balancer.listener().inFlight().inFlight() == 0);
                assertThat(balancer.count(Failure.LISTENER_FULL)).isEqualTo(1);
                served(balancer).close();
            }
        }
    }

    @EachTransport
    void rapidReloadsLoseNoRequest(TransportKind transport) throws Exception {
        try (TestBackend first = TestBackend.playing(Script.ok("ok"));
                TestBackend other = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(first).pool("other", other);
            AtomicBoolean over = new AtomicBoolean();
            try (TestBalancer balancer = setup.start()) {
                List<CompletableFuture<Integer>> clients = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    clients.add(CompletableFuture.supplyAsync(
                            () -> queryUntil(over, balancer), task -> new Thread(task).start()));
                }
                for (int i = 1; i <= 50; i++) {
                    setup.withoutRoutes();
                    if (i % 2 == 0) {
                        setup.route(TO_OTHER);
                    }
                    if (i % 5 == 0) {
                        setup.limits(new Limits().bodyBytes(i));
                    }
                    balancer.reload(setup);
                }
                over.set(true);

                int answered =
                        clients.stream().mapToInt(CompletableFuture::join).sum();
                assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(answered);
                assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
            }
        }
    }

    /** Sends requests repeatedly, reconnecting after {@code Connection: close}; returns their number. */
    private static int queryUntil(AtomicBoolean over, TestBalancer balancer) {
        int answered = 0;
        while (!over.get()) {
            try (RawClient client = balancer.client()) {
                boolean open = true;
                while (open && !over.get()) {
                    RawResponse response = client.send(GET).read();
                    assertThat(response.status()).isEqualTo(200);
                    open = response.header("Connection") == null;
                    answered++;
                }
            }
        }
        return answered;
    }

    private static RawClient served(TestBalancer balancer) {
        RawClient client = balancer.client();
        assertThat(client.send(GET).read().body()).isEqualTo("ok");
        return client;
    }

    private static void assertRefused(TestBalancer balancer) {
        try (RawClient client = balancer.client()) {
            client.endAfterAll();
        }
    }
}
