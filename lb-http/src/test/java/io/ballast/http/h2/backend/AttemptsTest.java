package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.RetryOn;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Retries;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.TransportKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests retries, and that cancelled attempts have no effects. */
@SuppressWarnings("StringConcatToTextBlock") // lines of HTTP end with CRLF
class AttemptsTest {

    private static final String PUT = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody";
    private static final RetryConfig ON_5XX =
            Retries.on(new RetryOn(true, true, false, List.of(new StatusRange(500, 599))));

    /** Returns the frames of two requests, with a reset that cancels the first request. */
    private static byte[] givenUpAndAnother(Http2Client client) {
        int first = client.newStream();
        int second = client.newStream();
        return FrameBytes.join(
                FrameBytes.headers(first, true, Http2Client.head("GET", "/first")),
                FrameBytes.reset(first, ErrorCode.CANCEL.ordinal()),
                FrameBytes.headers(second, true, Http2Client.head("GET", "/second")));
    }

    @Test
    void cancelledRequestIsNotSentAfterConnect() throws Exception {
        Http2Script paths =
                Http2Script.serving((connection, request) -> connection.answer(request, request.header(":path")));
        try (Http2TestBackend backend = Http2TestBackend.playing(paths);
                TestBalancer balancer = Http2Balancers.start(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            client.sync();
            client.send(givenUpAndAnother(client));

            assertThat(client.read(3).body()).isEqualTo("/second");
            assertThat(client.sync().read(3).blocks()).hasSize(1);
            assertThat(backend.nextRequest().header(":path")).isEqualTo("/second");
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.REUSES)).isZero();
        }
    }

    @Test
    void cancelledRequestIsNotSentToHttp11Backend() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("body"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .backend(backend)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            client.sync();
            client.send(givenUpAndAnother(client));

            assertThat(client.read(3).body()).isEqualTo("body");
            assertThat(client.sync().read(3).blocks()).hasSize(1);
            assertThat(backend.nextRequest()).startsWith("GET /second ");
            assertThat(backend.requests()).hasSize(1);
        }
    }

    @Test
    void listedStatusIsRetriedAndConnectionKept() throws Exception {
        byte[] whole = FrameBytes.headers(0, true, FrameBytes.block(":status", "503"));
        byte[] started = FrameBytes.headers(0, false, FrameBytes.block(":status", "503"));
        for (byte[] answer : List.of(whole, started)) {
            Http2Script ill = Http2Script.serving((connection, request) -> {
                byte[] own = answer.clone();
                own[8] = (byte) request.stream();
                connection.send(own).sync();
                boolean ended = (answer[4] & Frame.END_STREAM) != 0;
                if (request.resetCode() != (ended ? -1 : ErrorCode.CANCEL.ordinal())) {
                    throw new AssertionError("code " + request.resetCode());
                }
            });
            try (Http2TestBackend first = Http2TestBackend.playing(ill);
                    Http2TestBackend second = Http2TestBackend.playing(Http2Script.serving(
                            (connection, request) -> connection.answer(request, request.body() + "!")));
                    TestBalancer balancer =
                            Http2Balancers.before(first, second).retry(ON_5XX).start();
                    RawClient client = balancer.client()) {
                for (int i = 0; i < 4; i++) {
                    assertThat(client.send(PUT).read().body()).isEqualTo("body!");
                }
                assertThat(first.connections()).isEqualTo(1);
                assertThat(balancer.count(BackendCounter.RESPONSES_5XX))
                        .isPositive()
                        .isEqualTo(balancer.count(BackendCounter.RETRIES));
            }
        }
    }

    @Test
    void startedResponseIsNotRetried() throws Exception {
        Http2Script hinting = Http2Script.serving((connection, request) -> {
            connection.head(request, false, ":status", "103");
            connection.send(FrameBytes.reset(request.stream(), ErrorCode.REFUSED_STREAM.ordinal()));
        });
        try (Http2TestBackend first = Http2TestBackend.playing(hinting);
                Http2TestBackend second = Http2TestBackend.playing(hinting);
                TestBalancer balancer = Http2Balancers.before(first, second).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(PUT).readHead()).startsWith("HTTP/1.1 103 ");
            assertThat(client.read().status()).isEqualTo(503);
            assertThat(first.connections() + second.connections()).isEqualTo(1);
        }
    }

    @Test
    void chunkedBodyIsRetriedWithTrailers() throws Exception {
        Http2Script refusing = Http2Script.frames(FrameBytes.reset(0, ErrorCode.REFUSED_STREAM.ordinal()));
        try (Http2TestBackend first = Http2TestBackend.playing(refusing);
                Http2TestBackend second = Http2TestBackend.playing(Http2Script.ok("ok"));
                TestBalancer balancer = Http2Balancers.start(first, second);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 2; i++) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 7\r\n\r\n");
                assertThat(client.read().body()).isEqualTo("ok");
                Http2Request arrived = second.nextRequest();
                assertThat(arrived.body()).isEqualTo("abcde");
                assertThat(arrived.trailers()).containsExactly("x-sum: 7");
            }
        }
    }

    @Test
    void tooLongRewrittenHeadFailsOnlyItsExchange() throws Exception {
        String rule = "$host".repeat(6_000);
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("ok"));
                TestBalancer balancer = Http2Balancers.before(backend)
                        .headers(TestHeaderRules.request("X-Many", rule))
                        .start()) {
            String host = "h".repeat(200);

            assertThat(Http2Balancers.request(balancer, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                            .status())
                    .isEqualTo(400);
            assertThat(Http2Balancers.request(balancer, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                            .body())
                    .isEqualTo("ok");
        }
    }
}
