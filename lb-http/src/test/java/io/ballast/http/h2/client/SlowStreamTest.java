package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Tests clients that send or read just often enough to avoid idle timeouts on their streams, while other streams are
 * served.
 */
class SlowStreamTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    /** A rate that no test client can reach. */
    private static final int RATE = 1024 * 1024 * 1024;

    private static final int MUCH = 100_000_000;

    @EachTransport
    void bodySentByteByByteTimesOut(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(transport, backend, RATE, /* response= */ 0);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/", "content-length", "1000000");
            while (!client.response(stream).isEnded() && balancer.count(Failure.REQUEST_BODY_SLOW) == 0) {
                client.send(FrameBytes.data(stream, /* ends= */ false, (byte) 'x'));
                assertThat(client.read(client.get("/fixed")).body()).isEqualTo("ok");
            }

            assertThat(client.read(stream).status()).isEqualTo(408);
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.REQUEST_BODY_SLOW)).isEqualTo(1);
            assertThat(balancer.count(Failure.REQUEST_BODY_TIMEOUT)).isZero();
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
        }
    }

    @Test
    void slowGrpcCallGetsGrpcStatus() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(TransportKind.NIO, backend, RATE, /* response= */ 0);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/", "content-type", "application/grpc");
            while (!client.response(stream).isEnded()) {
                client.send(FrameBytes.data(stream, /* ends= */ false, (byte) 'x'));
                assertThat(client.read(client.get("/fixed")).body()).isEqualTo("ok");
            }

            assertThat(client.response(stream).status()).isEqualTo(200);
            assertThat(client.response(stream).header("grpc-status")).isEqualTo("13");
            assertThat(client.response(stream).header("grpc-message")).isEqualTo("request_body_slow");
            assertThat(balancer.count(Failure.REQUEST_BODY_SLOW)).isEqualTo(1);
        }
    }

    /** The backend that the request waits for may be busy for longer than the client idle timeout. */
    @Test
    void bodyTimerStartsAfterConnect() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, ""), Script.echo());
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .maxInFlight(1)
                        .queue(10, LONG)
                        .deadlines(new ClientDeadlines(LONG, SHORT, LONG, LONG))
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int first = client.get("/");
            backend.nextRequest();
            int second = client.post("/", "expect", "100-continue", "content-length", "1");
            long end = System.nanoTime() + SHORT.multipliedBy(3).toNanos();
            balancer.await("longer than it may be idle", () -> System.nanoTime() > end);
            assertThat(balancer.count(Failure.REQUEST_BODY_TIMEOUT)).isZero();
            answer.countDown();
            client.read(first);

            assertThat(client.read(second).status()).isEqualTo(408); // the body timer starts after the connect
            assertThat(balancer.count(Failure.REQUEST_BODY_TIMEOUT)).isEqualTo(1);
        }
    }

    @EachTransport
    void responseReadInSmallWindowsTimesOut(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x".repeat(MUCH / 10)));
                TestBalancer balancer = balancer(transport, backend, /* requestBody= */ 0, RATE);
                Http2Client client = Http2Client.connect(balancer.port()).keepingWindows()) {
            int stream = client.get("/");
            client.send(FrameBytes.windowUpdate(0, MUCH));
            while (!client.response(stream).isEnded()) {
                client.send(FrameBytes.windowUpdate(stream, 1024));
                assertThat(client.read(client.get("/fixed")).body()).isEqualTo("ok");
            }

            assertThat(client.response(stream).resetCode()).isEqualTo(ErrorCode.CANCEL.ordinal());
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.SLOW_READER)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
            assertThat(balancer.count(Failure.BAD_REQUEST)).isZero();
        }
    }

    /** When unread responses block a connection, further request heads do not keep it open forever. */
    @Test
    void unreadConnectionIsClosed() throws Exception {
        int size = 20_000;
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .respond("/much", 200, "x".repeat(size))
                        .deadlines(new ClientDeadlines(LONG, LONG, SHORT, LONG))
                        .loops(1)
                        .start();
                Http2Client client = Http2Client.silent(balancer.port(), /* receiveBuffer= */ 4096)) {
            client.send(
                    FrameBytes.PREFACE.getBytes(StandardCharsets.ISO_8859_1),
                    FrameBytes.settings(Setting.INITIAL_WINDOW_SIZE, MUCH),
                    FrameBytes.windowUpdate(0, MUCH));
            int queries = 0;
            do { // repeats until the socket buffer is full
                client.send(getMuch(client));
                int all = ++queries;
                balancer.await("it is answered", () -> balancer.count(ListenerCounter.REQUESTS) == all);
                if (balancer.buffersInUse() >= size) {
                    // the balancer may still be writing this data
                    balancer.awaitStandstill(balancer::buffersInUse, /* min= */ -1);
                }
            } while (balancer.buffersInUse() < size);
            byte[][] more = new byte[50][];
            for (int i = 0; i < more.length; i++) {
                more[i] = getMuch(client);
            }
            client.send(more);

            balancer.await("it is cut", () -> balancer.count(ListenerCounter.CONNECTIONS_CLOSED) == 1);
        }
    }

    private static byte[] getMuch(Http2Client client) {
        return FrameBytes.headers(client.newStream(), /* ends= */ true, Http2Client.head("GET", "/much"));
    }

    private static TestBalancer balancer(TransportKind transport, TestBackend backend, int requestBody, int response)
            throws BindException {
        ClientDeadlines deadlines = new ClientDeadlines(
                LONG,
                LONG,
                LONG,
                LONG,
                Duration.ZERO,
                new MinimumRate(requestBody, response, SHORT),
                ClientDeadlines.DEFAULT_TUNNEL_IDLE);
        return BalancerSetup.on(transport)
                .backend(backend)
                .respond("/fixed", 200, "ok")
                .loops(1)
                .deadlines(deadlines)
                .start();
    }
}
