package io.ballast.telemetry;

import static io.ballast.telemetry.testing.RecordingCollector.attributes;
import static io.ballast.telemetry.testing.RecordingCollector.hex;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.testing.Connections;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.testing.WebSockets;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.opentelemetry.proto.trace.v1.Span;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the spans of requests to HTTP/2 backends, of tunnels over HTTP/2, and of slow and broken responses. */
class BackendSpansTest {

    private TelemetrySetup setup;

    @BeforeEach
    void startCollector() throws Exception {
        setup = new TelemetrySetup();
    }

    @AfterEach
    void close() {
        setup.close();
    }

    @Test
    void callOfGrpcIsTraced() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("message"));
                TestBalancer balancer = setup.balancer()
                        .protocol(BackendProtocol.H2C)
                        .backend(backend.address())
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int call = client.post("/echo.Echo/Say", "content-type", "application/grpc", "te", "trailers");
            client.send(FrameBytes.data(call, /* ends= */ true, new byte[10]));
            assertThat(client.read(call).status()).isEqualTo(200);

            List<Span> spans = setup.spans(2);
            assertThat(attributes(spans.get(0)))
                    .containsEntry("url.path", "/echo.Echo/Say")
                    .containsEntry("network.protocol.version", "2");
            assertThat(attributes(spans.get(1)))
                    .containsEntry("server.port", (long) backend.address().port())
                    .containsEntry("http.response.status_code", 200L);
            assertThat(backend.nextRequest().header("traceparent"))
                    .isEqualTo("00-" + hex(spans.get(0).getTraceId()) + "-"
                            + hex(spans.get(1).getSpanId()) + "-01");
        }
    }

    @Test
    void failedCallOfGrpcHasTheFailure() throws Exception {
        try (TestBalancer balancer = setup.balancer()
                        .protocol(BackendProtocol.H2C)
                        .backend(ClosedPort.find())
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int call = client.post("/echo.Echo/Say", "content-type", "application/grpc");
            client.send(FrameBytes.data(call, /* ends= */ true, new byte[10]));
            client.read(call);

            assertThat(attributes(setup.collector.nextSpan()))
                    .containsEntry("error.type", "connect_refused")
                    .containsEntry("http.response.status_code", 200L);
        }
    }

    @Test
    void tunnelOverHttp2EndsBothSpans() throws Exception {
        try (TestBackend backend = TestBackend.playing(WebSockets.echo());
                TestBalancer balancer = setup.balancer().backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);
            assertThat(setup.collector.waitingSpans()).isZero();
            client.upload(stream, /* ends= */ true, new byte[10]).read(stream);

            List<Span> spans = setup.spans(2);
            assertThat(attributes(spans.get(0)))
                    .containsEntry("ballast.tunnel", true)
                    .containsEntry("ballast.end", "ok")
                    .containsEntry("http.response.status_code", 200L);
            assertThat(spans.get(1).getEndTimeUnixNano()).isEqualTo(spans.get(0).getEndTimeUnixNano());
        }
    }

    @Test
    void slowResponseIsATimeout() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = setup.balancer()
                        .connections(new Connections().responseTimeout(Duration.ofMillis(100)))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read();

            List<Span> spans = setup.spans(2);
            assertThat(attributes(spans.get(0)))
                    .containsEntry("error.type", "response_timeout")
                    .containsEntry("http.response.status_code", 504L);
            assertThat(attributes(spans.get(1)))
                    .containsEntry("error.type", "response_timeout")
                    .doesNotContainKey("http.response.status_code");
        }
    }

    @Test
    void brokenResponseHasStatusAndFailure() throws Exception {
        Script broken = Script.answerAndReset("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
        try (TestBackend backend = TestBackend.playing(broken);
                TestBalancer balancer = setup.balancer().backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").endAfterAll();

            List<Span> spans = setup.spans(2);
            assertThat(attributes(spans.get(0)))
                    .containsEntry("http.response.status_code", 200L)
                    .containsEntry("error.type", "response_cut");
            assertThat(attributes(spans.get(1)))
                    .containsEntry("http.response.status_code", 200L)
                    .containsEntry("error.type", "response_cut");
        }
    }

    @Test
    void reusedConnectionThatBrokeIsAnAttempt() throws Exception {
        Script first = Script.ok("one");
        Script closing = connection -> {
            connection.readRequest();
            connection.close();
        };
        try (TestBackend backend = TestBackend.playing(first, closing, Script.ok("two"));
                TestBalancer balancer = setup.balancer().backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n").read();
            setup.spans(2);
            assertThat(client.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n").read().body())
                    .isEqualTo("two");

            List<Span> spans = setup.spans(3);
            assertThat(attributes(spans.get(1))).containsEntry("error.type", "reset");
            assertThat(attributes(spans.get(2))).containsEntry("http.request.resend_count", 1L);
        }
    }
}
