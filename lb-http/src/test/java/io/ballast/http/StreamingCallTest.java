package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests requests that stay open while the response is sent, like gRPC streaming calls. Traffic in either direction
 * keeps them alive. They end if both sides are silent for the body idle timeout.
 */
class StreamingCallTest {

    /** Idle timeout, much longer than a pause even on a busy machine. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final int TICKS = 12;

    private final CountDownLatch over = new CountDownLatch(1);

    @Test
    void silentHttp2ClientReceivesWholeStream() throws Exception {
        Http2Script ticking = connection -> {
            connection.begin();
            var call = connection.nextHead();
            connection.head(call, /* ends= */ false, ":status", "200");
            for (int i = 0; i < TICKS; i++) {
                pause();
                connection.data(call, /* ends= */ false, "tick");
            }
            connection.data(call, /* ends= */ true, "end");
            connection.await(over);
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(ticking);
                TestBalancer balancer = balancer(backend, LONG);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int call = client.post("/echo.Echo/Watch", "content-type", "application/grpc");
            client.send(FrameBytes.data(call, /* ends= */ false, new byte[10]));

            Http2Response response = client.read(call);
            over.countDown();
            assertThat(response.body()).isEqualTo("tick".repeat(TICKS) + "end");
            assertThat(balancer.count(Failure.REQUEST_BODY_TIMEOUT)).isZero();
        }
    }

    /** Client and backend use HTTP/1.1. */
    @Test
    void silentHttp1ClientReceivesWholeStream() throws Exception {
        Script ticking = connection -> {
            connection.readHead();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + 4 * TICKS + "\r\n\r\n");
            for (int i = 0; i < TICKS; i++) {
                pause();
                connection.send("tick");
            }
            connection.await(over);
        };
        try (TestBackend backend = TestBackend.playing(ticking);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .deadlines(new ClientDeadlines(LONG, SHORT, LONG, LONG))
                        .start();
                RawClient client = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "3\r\nabc\r\n");

            assertThat(client.read().body()).isEqualTo("tick".repeat(TICKS));
            over.countDown();
        }
    }

    /** The client sends while the server is silent. */
    @Test
    void silentServerReceivesWholeStream() throws Exception {
        Http2Script listening = connection -> {
            connection.begin();
            var call = connection.nextHead();
            connection.head(call, /* ends= */ false, ":status", "200");
            connection.await("the end", call::isEnded);
            connection.data(call, /* ends= */ true, Integer.toString(call.bodyBytes()));
            connection.await(over);
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(listening);
                TestBalancer balancer = balancer(backend, SHORT);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int call = client.post("/");
            for (int i = 0; i < TICKS; i++) {
                client.send(FrameBytes.data(call, /* ends= */ false, new byte[1]));
                pause();
            }
            client.send(FrameBytes.data(call, /* ends= */ true));

            assertThat(client.read(call).body()).isEqualTo(Integer.toString(TICKS));
            over.countDown();
        }
    }

    @Test
    void idleCallTimesOut() throws Exception {
        Http2Script silent = connection -> {
            connection.begin();
            connection.head(connection.nextHead(), /* ends= */ false, ":status", "200");
            connection.await(over);
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(silent);
                TestBalancer balancer = balancer(backend, SHORT);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int call = client.post("/");

            assertThat(client.read(call).resetCode()).isNotNegative();
            assertThat(balancer.count(Failure.STREAM_IDLE)).isEqualTo(1);
            over.countDown();
        }
    }

    private void pause() throws InterruptedException {
        assertThat(over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
    }

    private static TestBalancer balancer(Http2TestBackend backend, Duration bodyIdle) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend.address())
                .connections(new Connections().bodyIdleTimeout(bodyIdle))
                .protocol(BackendProtocol.H2C)
                .deadlines(new ClientDeadlines(LONG, SHORT, LONG, LONG))
                .start();
    }
}
