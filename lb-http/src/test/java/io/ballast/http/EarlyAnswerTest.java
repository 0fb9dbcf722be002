package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.BlockedLoops;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.http.testing.Upgrades;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tests a peer that sends its last data and closes while it still receives data. Its kernel resets the connection, so a
 * write fails before the last data is read. The data must still be forwarded.
 *
 * <p>The test blocks the event loops until these have arrived, in this order: the data to write, the last data of the
 * peer, and the reset.
 */
class EarlyAnswerTest {

    private static final int BODY = 1024 * 1024;
    private static final String PUT = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY + "\r\n\r\n";
    private static final String TOO_LARGE = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig";
    private static final byte[] PART = new byte[1024];

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final CountDownLatch disconnected = new CountDownLatch(1);

    @EachTransport
    void earlyResponseReachesUploadingClient(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(answersEarly(TOO_LARGE));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(PUT);
            await(started);
            whileHeld(balancer, () -> client.send(PART));

            assertThat(client.readHead()).contains("413 Content Too Large");
            assertThat(client.readExactly(3)).isEqualTo("big");
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isZero();
            assertThat(balancer.count(BackendCounter.RETRIES)).isZero();
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
        }
    }

    @EachTransport
    void earlyResponseReachesHttp2Client(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(answersEarly(TOO_LARGE));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/", "content-length", Integer.toString(BODY));
            client.send(FrameBytes.data(stream, /* ends= */ false, PART));
            await(started);
            whileHeld(balancer, () -> client.send(FrameBytes.data(stream, /* ends= */ false, PART)));

            assertThat(client.read(stream).status()).isEqualTo(413);
            assertThat(client.read(stream).body()).isEqualTo("big");
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isZero();
        }
    }

    @EachTransport
    void earlyResponseOfHttp2BackendReachesClient(TransportKind transport) throws Exception {
        Http2Script answersEarly = connection -> {
            connection.begin();
            var request = connection.nextHead();
            started.countDown();
            connection.await(answer);
            connection.head(request, /* ends= */ false, ":status", "413").data(request, /* ends= */ true, "big");
            connection.reset();
            disconnected.countDown();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(answersEarly);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend.address())
                        .protocol(BackendProtocol.H2C)
                        .start();
                RawClient client = balancer.client()) {
            client.send(PUT);
            await(started);
            whileHeld(balancer, () -> client.send(PART));

            assertThat(client.readHead()).contains("413");
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isZero();
        }
    }

    /** The body ends with the connection, so a reset truncates it. */
    @EachTransport
    void earlyResponseOfUnknownLengthEndsWithReset(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(answersEarly("HTTP/1.1 200 OK\r\n\r\nabc"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(PUT);
            await(started);
            whileHeld(balancer, () -> client.send(PART));

            assertThat(client.readHead()).contains("200 OK");
            assertThat(client.endAfterAll()).isEqualTo(RawClient.Ending.RESET);
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
        }
    }

    @EachTransport
    void earlyPipelinedResponsesReachTheirClients(TransportKind transport) throws Exception {
        Script answersOnce = connection -> {
            connection.readRequest();
            started.countDown();
            connection
                    .await(answer)
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                    .reset();
            disconnected.countDown();
        };
        try (TestBackend backend = TestBackend.playing(answersOnce, Script.ok("again"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .loops(1)
                        .connections(new Connections().pipelining(8))
                        .backend(backend)
                        .start();
                RawClient first = balancer.client();
                RawClient second = balancer.client()) {
            first.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n");
            await(started);
            whileHeld(balancer, () -> second.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"));

            assertThat(first.read().body()).isEqualTo("ok");
            assertThat(second.read().body()).isEqualTo("again");
        }
    }

    @EachTransport
    void lastTunnelDataReachesClient(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.switching(sendsBye()));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();
            assertThat(client.readExactly(2)).isEqualTo("hi");
            whileHeld(balancer, () -> client.send(PART));

            assertThat(client.readToEnd()).isEqualTo("bye");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
        }
    }

    @EachTransport
    void lastTcpDataReachesClient(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(sendsBye());
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readExactly(2)).isEqualTo("hi");
            whileHeld(balancer, () -> client.send(PART));

            assertThat(client.readToEnd()).isEqualTo("bye");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
        }
    }

    @EachTransport
    void lastTcpDataReachesServer(TransportKind transport) throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        Script answersEarly = connection -> {
            connection.send("hi").await(answer).send(PART);
            disconnected.countDown();
            got.complete(new String(connection.readExactly(3), StandardCharsets.US_ASCII));
            reset.complete(connection.endsInReset());
        };
        try (TestBackend backend = TestBackend.accepting(answersEarly);
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readExactly(2)).isEqualTo("hi");
            try (BlockedLoops held = BlockedLoops.of(balancer)) {
                answer.countDown();
                await(disconnected);
                client.send("bye").reset();
            }

            assertThat(got).succeedsWithin(TestTimeout.LIMIT).isEqualTo("bye");
            assertThat(reset).succeedsWithin(TestTimeout.LIMIT).isEqualTo(true);
        }
    }

    /**
     * The server closes its connection first, so data from the client makes the server's kernel reset the connection.
     */
    @EachTransport
    void orderlyCloseIsRelayed(TransportKind transport) throws Exception {
        Script ends = connection -> {
            connection.send("hi").await(answer).send("bye").close();
            disconnected.countDown();
        };
        try (TestBackend backend = TestBackend.accepting(ends);
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readExactly(2)).isEqualTo("hi");
            try (BlockedLoops held = BlockedLoops.of(balancer)) {
                answer.countDown();
                await(disconnected);
                client.send(PART);
            }

            assertThat(client.readExactly(3)).isEqualTo("bye");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isZero();
        }
    }

    /** Lets the event loops see the data of {@code sending} first, then the backend's last data and its reset. */
    private void whileHeld(TestBalancer balancer, Runnable sending) throws InterruptedException {
        try (BlockedLoops held = BlockedLoops.of(balancer)) {
            sending.run();
            answer.countDown();
            await(disconnected);
        }
    }

    private Script answersEarly(String response) {
        return connection -> {
            connection.readHead();
            started.countDown();
            connection.await(answer).send(response).reset();
            disconnected.countDown();
        };
    }

    private Script sendsBye() {
        return connection -> {
            connection.send("hi").await(answer).send("bye").reset();
            disconnected.countDown();
        };
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(TestTimeout.LIMIT_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    }

    private static BalancerSetup tcp(TransportKind transport) {
        return BalancerSetup.on(transport).protocol(ListenerProtocol.TCP);
    }
}
