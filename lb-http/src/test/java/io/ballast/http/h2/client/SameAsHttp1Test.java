package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.RequestIdConfig;
import io.ballast.http.config.RequestIdConfig.Trust;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that features of HTTP/1.1 also work for HTTP/2. */
class SameAsHttp1Test {

    @TempDir
    private Path directory;

    @Test
    void headerRulesApply() throws Exception {
        HeaderRules rules = new HeaderRules(TestHeaderRules.set("X-Set", "in"), TestHeaderRules.set("X-Set", "out"));
        HeaderRules removal = new HeaderRules(TestHeaderRules.remove("x-gone"), TestHeaderRules.remove("Server"));
        Script answer = connection -> {
            String request = connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nServer: s\r\nX-Set: theirs\r\nContent-Length: " + request.length()
                    + "\r\n\r\n" + request);
        };
        try (TestBackend backend = TestBackend.playing(answer);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .headers(rules)
                        .poolHeaders(removal)
                        .respond("/fixed", 200, "x")
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            Http2Response response = client.read(client.get("/", "x-set", "mine", "x-gone", "1"));
            Http2Response fixed = client.read(client.get("/fixed"));

            assertThat(response.body().lines())
                    .contains("X-Set: in")
                    .noneMatch(line -> line.contains("mine") || line.contains("x-gone"));
            assertThat(response.head())
                    .contains("x-set: out")
                    .noneMatch(line -> line.contains("theirs") || line.startsWith("server"));
            assertThat(fixed.head()).contains("x-set: out", "content-length: 1");
        }
    }

    @Test
    void backendGetsClientAddress() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .forwarding(Forwarding.OVERWRITE)
                        .requestId(new RequestIdConfig("X-Request-Id", Trust.NEVER))
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            String sent = client.read(client.get("/", "x-forwarded-for", "9.9.9.9", "x-request-id", "mine"))
                    .body();

            assertThat(sent.toLowerCase(java.util.Locale.ROOT).lines())
                    .contains("x-forwarded-for: 127.0.0.1", "x-forwarded-host: a", "x-forwarded-proto: http")
                    .anyMatch(line -> line.matches("x-request-id: [0-9a-f]{32}"))
                    .noneMatch(line -> line.contains("9.9.9.9") || line.contains("mine"));
        }
    }

    @Test
    void answeredRequestIsLogged() throws Exception {
        Path log = directory.resolve("log");
        try (TestBackend backend = TestBackend.playing(Script.ok("x".repeat(100_000)));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .accessLog(new AccessLogConfig(
                                log.toString(), AccessLogConfig.Format.JSON, AccessLogConfig.MIN_QUEUE_BYTES))
                        .start();
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 80_000)) {
            assertThat(client.read(client.get("/a?b=c", "user-agent", "u")).body())
                    .hasSize(100_000);
            client.close();
            balancer.awaitQuiet();
            balancer.frontend().close();

            String line = Files.readString(log);
            assertThat(line)
                    .contains("\"method\":\"GET\",\"host\":\"a\",\"path\":\"/a?b=c\"")
                    .contains("\"protocol\":\"HTTP/2.0\",\"status\":200,")
                    .contains("\"end\":\"ok\"")
                    .contains("\"user_agent\":\"u\"");
            long bytesOut = Long.parseLong(line.replaceAll("(?s).*\"bytes_out\":(\\d+).*", "$1"));
            assertThat(bytesOut).isBetween(100_000L, 100_200L);
        }
    }

    @EachTransport
    void refusedConnectionRetriesOtherBackend(TransportKind transport) throws Exception {
        byte[] body = Bodies.random(300_000, 4);
        try (TestBackend backend = TestBackend.playing(Bodies.back());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .backend(backend)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            for (int i = 0; i < 4; i++) {
                int stream = client.post("/", "content-length", String.valueOf(body.length));
                client.upload(stream, /* ends= */ true, body);
                assertThat(Bodies.sum(client.read(stream).bytes())).isEqualTo(Bodies.sum(body));
            }
            assertThat(balancer.count(BackendCounter.RETRIES)).isPositive();
        }
    }

    @EachTransport
    void sentBodyIsRetried(TransportKind transport) throws Exception {
        try (TestBackend broken = TestBackend.playing(Script.answerAndReset(""));
                TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(broken)
                        .backend(backend)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            for (int i = 0; i < 2; i++) {
                int stream = client.request(/* ends= */ false, "PUT", "/");
                client.upload(stream, /* ends= */ true, Bodies.bytes("body"));
                assertThat(client.read(stream).body()).endsWith("\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
            }
            assertThat(broken.requests()).isNotEmpty();
        }
    }

    @Test
    void failuresGetErrorResponses() throws Exception {
        try (TestBackend silent = TestBackend.playing(Script.silence());
                TestBalancer refusing = BalancerSetup.on(TransportKind.NIO)
                        .backend(ClosedPort.find())
                        .start();
                TestBalancer full = BalancerSetup.on(TransportKind.NIO)
                        .backend(silent)
                        .maxInFlight(1)
                        .start();
                TestBalancer impatient = BalancerSetup.on(TransportKind.NIO)
                        .backend(silent)
                        .connections(new Connections().responseTimeout(Duration.ofMillis(100)))
                        .start();
                TestBalancer empty = BalancerSetup.on(TransportKind.NIO)
                        .backend(silent)
                        .withoutDefaultRoute()
                        .respond("/fixed", 418, "tea")
                        .start()) {
            assertThat(status(refusing)).isEqualTo(502);
            assertThat(status(impatient)).isEqualTo(504);
            assertThat(status(empty)).isEqualTo(404);
            assertThat(refusing.count(Failure.CONNECT_REFUSED)).isEqualTo(1);
            assertThat(impatient.count(Failure.RESPONSE_TIMEOUT)).isEqualTo(1);
            assertThat(refusing.count(ListenerCounter.RESPONSES_5XX)).isEqualTo(1);
            try (Http2Client client = Http2Client.connect(full.port())) {
                int first = client.get("/");
                Http2Response second = client.read(client.get("/"));
                assertThat(second.status()).isEqualTo(503);
                assertThat(second.header("connection")).isNull();
                assertThat(second.body()).contains("503");
                assertThat(client.response(first).isEnded()).isFalse();
            }
            try (Http2Client client = Http2Client.connect(empty.port())) {
                Http2Response fixed = client.read(client.get("/fixed"));
                assertThat(fixed.status()).isEqualTo(418);
                assertThat(fixed.body()).isEqualTo("tea");
                Http2Response head = client.read(client.request(true, "HEAD", "/fixed"));
                assertThat(head.isComplete()).isTrue();
                assertThat(head.header("content-length")).isEqualTo("3");
                assertThat(head.body()).isEmpty();
            }
        }
    }

    private static int status(TestBalancer balancer) {
        try (Http2Client client = Http2Client.connect(balancer.port())) {
            return client.read(client.get("/")).status();
        }
    }

    @Test
    void grpcClientGetsGrpcStatus() throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(ClosedPort.find())
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/s/m", "content-type", "application/grpc+proto", "te", "trailers");
            client.upload(stream, /* ends= */ true, new byte[5]);
            Http2Response response = client.read(stream);

            assertThat(response.head())
                    .containsExactly(
                            ":status: 200",
                            "content-type: application/grpc",
                            "grpc-status: 14",
                            "grpc-message: connect_refused");
            assertThat(balancer.count(Failure.CONNECT_REFUSED)).isEqualTo(1);
        }
    }
}
