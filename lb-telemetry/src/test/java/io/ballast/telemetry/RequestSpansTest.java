package io.ballast.telemetry;

import static io.ballast.telemetry.testing.RecordingCollector.attributes;
import static io.ballast.telemetry.testing.RecordingCollector.hex;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.RetryOn;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.policy.Refusal;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Retries;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.http.testing.Upgrades;
import io.ballast.policy.config.TracingConfig;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the spans that a collector receives for requests of both HTTP versions. */
class RequestSpansTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

    private TelemetrySetup setup;

    @BeforeEach
    void startCollector() throws Exception {
        setup = new TelemetrySetup();
    }

    @AfterEach
    void close() {
        setup.close();
    }

    @ParameterizedTest
    @EnumSource
    void exchangeHasServerAndClientSpan(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = setup.balancer().backend(backend).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post(
                    "/a/b?secret=1", "", "user-agent", "test/1", "traceparent", PARENT, "tracestate", "x=1,y=2");

            List<Span> spans = setup.spans(2);
            Span server = spans.get(0);
            Span attempt = spans.get(1);
            assertThat(server.getKind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
            assertThat(hex(server.getTraceId())).isEqualTo(TRACE);
            assertThat(hex(server.getParentSpanId())).isEqualTo("b7ad6b7169203331");
            assertThat(server.getName()).isEqualTo("POST */");
            assertThat(server.getTraceState()).isEqualTo("x=1,y=2");
            assertThat(server.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
            assertThat(attributes(server))
                    .containsEntry("http.request.method", "POST")
                    .containsEntry("url.path", "/a/b")
                    .containsEntry("url.scheme", "http")
                    .containsEntry("http.route", "*/")
                    .containsEntry("http.response.status_code", 200L)
                    .containsEntry("network.protocol.version", version == PolicyVersion.HTTP_1 ? "1.1" : "2")
                    .containsEntry("client.address", "127.0.0.1")
                    .containsEntry("user_agent.original", "test/1")
                    .containsEntry("ballast.listener", "web")
                    .containsEntry("ballast.end", "ok")
                    .containsKey("ballast.request_id")
                    .containsKey("server.address")
                    .doesNotContainKeys("url.query", "error.type", "ballast.policy", "ballast.tunnel");
            assertThat(attempt.getKind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
            assertThat(attempt.getTraceId()).isEqualTo(server.getTraceId());
            assertThat(attempt.getParentSpanId()).isEqualTo(server.getSpanId());
            assertThat(attributes(attempt))
                    .isEqualTo(Map.of(
                            "http.request.method",
                            "POST",
                            "server.address",
                            "127.0.0.1",
                            "server.port",
                            (long) backend.port(),
                            "http.response.status_code",
                            200L));
            assertThat(answer.body())
                    .contains("traceparent: 00-" + TRACE + "-" + hex(attempt.getSpanId()) + "-01\r\n")
                    .contains("tracestate: x=1,y=2\r\n");
            assertThat(attempt.getStartTimeUnixNano()).isGreaterThanOrEqualTo(server.getStartTimeUnixNano());
            assertThat(attempt.getEndTimeUnixNano())
                    .isBetween(attempt.getStartTimeUnixNano(), server.getEndTimeUnixNano());
            assertThat(setup.collector.resources().get(0))
                    .containsEntry("service.name", "ballast")
                    .containsEntry("service.version", "1.2.3")
                    .containsKey("service.instance.id");
        }
    }

    private static void get(PolicyVersion version, TestBalancer balancer) {
        if (version == PolicyVersion.HTTP_1) {
            try (RawClient client = balancer.client()) {
                assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                                .read()
                                .status())
                        .isEqualTo(200);
            }
        } else {
            try (Http2Client client = Http2Client.connect(balancer.port())) {
                assertThat(client.read(client.get("/")).status()).isEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void retryHasSpanOfItsOwn(PolicyVersion version) throws Exception {
        Script failing = Script.answer("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
        RetryOn statuses = new RetryOn(true, true, false, List.of(new HealthCheck.StatusRange(503, 503)));
        try (TestBackend first = TestBackend.playing(failing);
                TestBackend second = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup.balancer()
                        .retry(Retries.on(statuses))
                        .backend(first)
                        .backend(second)
                        .start()) {
            get(version, balancer);

            List<Span> spans = setup.spans(3);
            assertThat(attributes(spans.get(0)))
                    .containsEntry("ballast.attempts", 2L)
                    .containsEntry("http.response.status_code", 200L)
                    .doesNotContainKey("error.type");
            assertThat(attributes(spans.get(1)))
                    .containsEntry("server.port", (long) first.port())
                    .containsEntry("http.response.status_code", 503L)
                    .containsEntry("error.type", "503")
                    .doesNotContainKey("http.request.resend_count");
            assertThat(attributes(spans.get(2)))
                    .containsEntry("server.port", (long) second.port())
                    .containsEntry("http.request.resend_count", 1L)
                    .containsEntry("http.response.status_code", 200L);
            assertThat(first.nextRequest()).contains("-" + hex(spans.get(1).getSpanId()) + "-01\r\n");
            assertThat(second.nextRequest()).contains("-" + hex(spans.get(2).getSpanId()) + "-01\r\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusedConnectionIsAnAttempt(PolicyVersion version) throws Exception {
        HostPort closed = ClosedPort.find();
        try (TestBalancer balancer = setup.balancer().backend(closed).start();
                PolicyClient client = version.connect(balancer)) {
            int status = client.post("/", "").status();

            List<Span> spans = setup.spans(2);
            assertThat(attributes(spans.get(0)))
                    .containsEntry("http.response.status_code", (long) status)
                    .containsEntry("error.type", "connect_refused")
                    .containsEntry("ballast.end", "connect_refused")
                    .containsEntry("ballast.attempts", 1L);
            assertThat(spans.get(0).getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
            assertThat(attributes(spans.get(1)))
                    .isEqualTo(Map.of(
                            "http.request.method", "POST",
                            "server.address", "127.0.0.1",
                            "server.port", (long) closed.port(),
                            "error.type", "connect_refused"));
            assertThat(spans.get(1).getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusalNamesItsPolicy(PolicyVersion version) throws Exception {
        TestPolicy limit =
                new TestPolicy("limit", Phase.CLIENT_LIMIT, exchange -> new Refusal(429, "rate_limited", "too many"));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup.balancer()
                        .policies(setup.policy(TelemetrySetup.ALL), limit.named())
                        .backend(backend)
                        .start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/", "").status()).isEqualTo(429);

            Span server = setup.collector.nextSpan();
            assertThat(attributes(server))
                    .containsEntry("ballast.policy", "limit")
                    .containsEntry("ballast.end", "policy_refused")
                    .containsEntry("http.response.status_code", 429L)
                    .doesNotContainKeys("error.type", "ballast.attempts");
            assertThat(server.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
            assertThat(server.getParentSpanId().isEmpty()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void localResponseHasServerSpanOnly(PolicyVersion version) throws Exception {
        try (TestBalancer balancer = setup.balancer()
                        .withoutDefaultRoute()
                        .respond("/fixed", 200, "fixed")
                        .start();
                PolicyClient client = version.connect(balancer)) {
            client.post("/fixed/x", "");
            client.post("/nowhere", "");

            List<Span> spans = setup.spans(2);
            assertThat(spans.get(0).getName()).isEqualTo("POST */fixed");
            assertThat(spans.get(1).getName()).isEqualTo("POST");
            assertThat(attributes(spans.get(1)))
                    .containsEntry("http.response.status_code", 404L)
                    .containsEntry("ballast.end", "no_route")
                    .doesNotContainKeys("http.route", "error.type");
        }
    }

    @Test
    void tunnelLastsAsLongAsItsSpans() throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.echo());
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            try (RawClient client = balancer.client()) {
                client.send(Upgrades.REQUEST);
                assertThat(client.readHead()).startsWith("HTTP/1.1 101");
                client.send("hello");
                assertThat(client.readExactly(5)).isEqualTo("hello");
                assertThat(setup.collector.waitingSpans()).isZero();
            }

            List<Span> spans = setup.spans(2);
            assertThat(attributes(spans.get(0)))
                    .containsEntry("ballast.tunnel", true)
                    .containsEntry("http.response.status_code", 101L);
            assertThat(spans.get(1).getEndTimeUnixNano()).isEqualTo(spans.get(0).getEndTimeUnixNano());
        }
    }

    @Test
    void clientThatLeavesEndsBothSpans() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = setup.balancer().backend(backend).start()) {
            try (RawClient client = balancer.client()) {
                client.send("GET / HTTP/1.1\r\nHost: shop.example:8080\r\n\r\n");
                backend.nextRequest();
            }

            List<Span> spans = setup.spans(2);
            assertThat(attributes(spans.get(0)))
                    .containsEntry("ballast.end", "client_gone")
                    .containsEntry("server.address", "shop.example")
                    .containsEntry("server.port", 8080L)
                    .doesNotContainKeys("http.response.status_code", "error.type");
            assertThat(attributes(spans.get(1))).containsEntry("error.type", "client_gone");
        }
    }

    @Test
    void strangersTraceIsALink() throws Exception {
        TracingConfig distrusting = new TracingConfig(TracingConfig.ALL, false, List.of(), true, true);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup.balancer()
                        .policies(setup.policy(distrusting))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            client.send("BREW /?q=1 HTTP/1.1\r\nHost: [2001:db8::1]:80\r\ntraceparent: " + PARENT + "\r\n\r\n")
                    .read();

            Span server = setup.collector.nextSpan();
            assertThat(hex(server.getTraceId())).isNotEqualTo(TRACE);
            assertThat(server.getParentSpanId().isEmpty()).isTrue();
            assertThat(server.getLinksList())
                    .singleElement()
                    .satisfies(link -> assertThat(hex(link.getTraceId())).isEqualTo(TRACE));
            assertThat(server.getName()).isEqualTo("HTTP */");
            assertThat(attributes(server))
                    .containsEntry("http.request.method", "_OTHER")
                    .containsEntry("http.request.method_original", "BREW")
                    .containsEntry("url.query", "q=1")
                    .containsEntry("server.address", "2001:db8::1")
                    .containsEntry("server.port", 80L);
        }
    }

    @Test
    void streamsOfOneConnectionHaveTheirOwnTraces() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = setup.balancer().backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            List<Integer> streams = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                streams.add(client.get("/" + i));
            }
            streams.forEach(client::read);

            List<Span> spans = setup.spans(40);
            assertThat(spans.stream().map(Span::getSpanId).distinct()).hasSize(40);
            assertThat(spans.stream().map(Span::getTraceId).distinct()).hasSize(20);
        }
    }

    @Test
    void unsampledRequestHasNoSpan() throws Exception {
        TracingConfig none = new TracingConfig(0, false, List.of(), true, false);
        try (TestBackend backend = TestBackend.playing(Script.ok("a"), Script.ok("b"));
                TestBalancer first = setup.balancer()
                        .policies(setup.policy(none))
                        .backend(backend)
                        .start();
                TestBalancer second = setup.balancer().backend(backend).start();
                RawClient unsampled = first.client();
                RawClient sampled = second.client()) {
            unsampled.send("GET /unsampled HTTP/1.1\r\nHost: a\r\n\r\n").read();
            sampled.send("GET /sampled HTTP/1.1\r\nHost: a\r\n\r\n").read();

            assertThat(attributes(setup.collector.nextSpan())).containsEntry("url.path", "/sampled");
        }
    }

    @Test
    void textsAreBounded() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup.balancer().backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("GET /" + "x".repeat(5000) + " HTTP/1.1\r\nHost: a\r\nUser-Agent: " + "u".repeat(5000)
                            + "\r\n\r\n")
                    .read();

            Map<String, Object> attributes = attributes(setup.collector.nextSpan());
            assertThat((String) attributes.get("url.path")).hasSize(1024);
            assertThat((String) attributes.get("user_agent.original")).hasSize(256);
        }
    }
}
