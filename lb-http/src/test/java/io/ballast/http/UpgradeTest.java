package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.testing.Connections;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.Upgrades;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which requests may switch protocols, and which responses to them are valid. */
class UpgradeTest {

    private static final String NEXT = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @EachTransport
    void allowedUpgradeIsRelayed(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send(Upgrades.REQUEST).readHead()).isEqualTo(Upgrades.SWITCH);
            assertThat(backend.nextRequest()).isEqualTo(Upgrades.FORWARDED);
            assertThat(client.send("ping").readExactly(4)).isEqualTo("ping");
            assertThat(balancer.count(ListenerCounter.UPGRADES_IGNORED)).isZero();
        }
    }

    @EachTransport
    void nothingIsForwardedBeforeSwitch(TransportKind transport) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Upgrades.echoAfter(held));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            client.send(Upgrades.REQUEST + "early ");
            backend.nextRequest();
            client.send("and more");
            balancer.goRound();
            assertThat(backend.bytes()).isEqualTo(Upgrades.FORWARDED.length());
            held.countDown();

            assertThat(client.readHead()).isEqualTo(Upgrades.SWITCH);
            assertThat(client.readExactly(14)).isEqualTo("early and more");
        }
    }

    @EachTransport
    void earlyDataIsNoRequestIfBackendDeclines(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(OK));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            RawResponse response = client.send(Upgrades.REQUEST + NEXT).read();

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.header("Connection")).isEqualTo("close");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(backend.requests()).containsExactly(Upgrades.FORWARDED);
            assertThat(balancer.count(ListenerCounter.TUNNELS_OPENED)).isZero();
        }
    }

    @EachTransport
    void earlyDataIsNoRequestIfBalancerResponds(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose("garbage\r\n\r\n"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .respond("/chat", 403, "no")
                        .start();
                RawClient answered = balancer.client();
                RawClient failed = balancer.client()) {

            assertThat(answered.send(Upgrades.REQUEST + NEXT).read().status()).isEqualTo(403);
            assertThat(answered.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(failed.send(Upgrades.REQUEST.replace("/chat", "/") + NEXT)
                            .read()
                            .status())
                    .isEqualTo(502);
            assertThat(failed.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(backend.requests()).hasSize(1);
        }
    }

    @EachTransport
    void informationalResponseMayPrecedeSwitch(TransportKind transport) throws Exception {
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(connection -> {
                    connection.readRequest();
                    connection.send(hints + Upgrades.SWITCH + "hello");
                    connection.awaitClose();
                });
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send(Upgrades.REQUEST).readHead()).isEqualTo(hints);
            assertThat(client.readHead()).isEqualTo(Upgrades.SWITCH);
            assertThat(client.readExactly(5)).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket, h2c\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nUpgrade: websocket\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket13\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
                "HTTP/1.0 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            })
    void switchToOtherProtocolIsError(String answer) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(answer));
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send(Upgrades.REQUEST).read().status()).isEqualTo(502);
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.TUNNELS_OPENED)).isZero();
        }
    }

    @EachTransport
    void unrequestedSwitchIsError(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.echo(), Upgrades.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send(NEXT).read().status()).isEqualTo(502);
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket13\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade:\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrades, x\r\nUpgrade: websocket\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: websocket\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\nupgrade: websocket\r\n\r\n",
                "GET / HTTP/1.0\r\nHost: a\r\nConnection: Upgrade, keep-alive\r\nUpgrade: websocket\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\nhi",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket"
                        + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n",
                "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            })
    void otherUpgradeIsRemovedAndRequestServed(String request) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send(request).read().status()).isEqualTo(200);
            assertThat(backend.nextRequest()).doesNotContainIgnoringCase("upgrade");
            assertThat(client.send(NEXT).read().status()).isEqualTo(200);
            assertThat(balancer.count(ListenerCounter.UPGRADES_IGNORED)).isEqualTo(1);
        }
    }

    @EachTransport
    void emptyListAllowsNoUpgrade(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).upgrades().start();
                RawClient client = balancer.client()) {

            assertThat(client.send(Upgrades.REQUEST).read().body()).isEqualTo("ok");
            assertThat(backend.nextRequest()).doesNotContainIgnoringCase("upgrade");
            assertThat(balancer.count(ListenerCounter.UPGRADES_IGNORED)).isEqualTo(1);
        }
    }

    @EachTransport
    void firstAllowedProtocolIsForwarded(TransportKind transport) throws Exception {
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTE: trailers\r\nConnection: te, UPGRADE"
                + "\r\nUpgrade: h2c ,websocket,, spdy/3.1\r\n\r\n";
        String answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nConnection: Upgrade\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(connection -> {
                    connection.readRequest();
                    connection.send(answer).awaitClose();
                });
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .upgrades("SPDY/3.1")
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(request).readHead()).isEqualTo(answer);
            assertThat(backend.nextRequest())
                    .isEqualTo("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: Upgrade"
                            + "\r\nUpgrade: SPDY/3.1\r\n\r\n");
        }
    }

    @EachTransport
    void staleConnectionIsReplacedOnce(TransportKind transport) throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        Script stale = connection -> {
            connection.readHead();
            requested.countDown();
            connection.reset();
        };
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"), stale, Upgrades.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(NEXT).read();

            assertThat(client.send(Upgrades.REQUEST + "early").readHead()).isEqualTo(Upgrades.SWITCH);
            assertThat(requested.getCount()).isZero();
            assertThat(client.readExactly(5)).isEqualTo("early");
            assertThat(backend.connections()).isEqualTo(2);
        }
    }

    @EachTransport
    void upgradeIsNotPipelined(TransportKind transport) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        Script slow = connection -> {
            connection.readRequest();
            connection.await(held).send(OK);
        };
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"), slow, Upgrades.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .loops(1)
                        .connections(new Connections().pipelining(8))
                        .backend(backend)
                        .start();
                RawClient first = balancer.client();
                RawClient second = balancer.client()) {
            first.send(NEXT).read();
            first.send(NEXT);
            backend.nextRequest();
            backend.nextRequest();

            assertThat(second.send(Upgrades.REQUEST).readHead()).isEqualTo(Upgrades.SWITCH);
            held.countDown();

            assertThat(first.read().status()).isEqualTo(200);
            assertThat(second.send("x").readExactly(1)).isEqualTo("x");
        }
    }
}
