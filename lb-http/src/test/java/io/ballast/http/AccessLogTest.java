package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.BackendProtocol;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.AccessLogConfig.Format;
import io.ballast.http.config.RequestIdConfig;
import io.ballast.http.config.RequestIdConfig.Trust;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.testing.WebSockets;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.policy.Identity;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.policy.Refusal;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.http.testing.Upgrades;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AccessLogTest {

    private static final String GET = "GET /a?b=%22 HTTP/1.1\r\nHost: a.example:81\r\n";

    @TempDir
    private Path directory;

    private static final int PROTOCOL_ERROR = ErrorCode.PROTOCOL_ERROR.ordinal();

    @EachTransport
    void answeredRequestIsLoggedWithAllFields(TransportKind transport) throws Exception {
        TestBackend backend = TestBackend.playing(Script.ok("hello"));
        String id;
        try (backend;
                TestBalancer balancer = setup(transport, Format.JSON)
                        .backend(backend)
                        .requestId(new RequestIdConfig("X-Request-Id", Trust.NEVER))
                        .start();
                RawClient client = balancer.client()) {
            String request = GET + "User-Agent: curl \"8\"\r\nReferer: http://b/\u00ff\r\nContent-Length: 2\r\n\r\nhi";
            RawResponse response = client.send(request).read();
            id = backend.nextRequest().replaceAll("(?s).*X-Request-Id: ([0-9a-f]{32})\r\n.*", "$1");
            close(client, balancer);

            assertThat(line())
                    .contains("\"listener\":\"web\",\"client\":\"127.0.0.1\",\"request_id\":\"" + id + "\"")
                    .contains("\"method\":\"GET\",\"host\":\"a.example:81\",\"path\":\"/a?b=%22\"")
                    .contains("\"protocol\":\"HTTP/1.1\",\"status\":200,\"bytes_in\":" + request.length()
                            + ",\"bytes_out\":" + response.raw().length())
                    .containsPattern("\"head_ms\":\\d+\\.\\d{3},\"queue_ms\":0\\.000,\"connect_ms\":\\d+\\.\\d{3},"
                            + "\"first_byte_ms\":\\d+\\.\\d{3},\"total_ms\":\\d+\\.\\d{3}")
                    .contains("\"backend\":\"" + backend.address() + "\",\"attempts\":1,\"end\":\"ok\"")
                    .contains("\"user_agent\":\"curl \\\"8\\\"\",\"referer\":\"http://b/\\\\xff\"")
                    .startsWith("{\"time\":\"20");
            assertThat(balancer.listener().accessLogDropped()).isZero();
        }
    }

    @EachTransport
    void requestsOfOneConnectionAreDistinguished(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup(transport, Format.COMBINED)
                        .backend(backend)
                        .respond("/fixed", 204, "")
                        .start();
                RawClient client = balancer.client()) {
            client.send(
                    GET + "User-Agent: x\r\n\r\nGET /fixed HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + GET + "\r\n");
            client.read();
            client.read();
            client.read();
            close(client, balancer);

            List<String> lines = Files.readAllLines(log());
            String start = "127\\.0\\.0\\.1 - - \\[\\d\\d/\\w{3}/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000\\] ";
            assertThat(lines).hasSize(3);
            assertThat(lines.get(0)).matches(start + "\"GET /a\\?b=%22 HTTP/1\\.1\" 200 5 \"-\" \"x\"");
            assertThat(lines.get(1)).matches(start + "\"GET /fixed HTTP/1\\.0\" 204 - \"-\" \"-\"");
            assertThat(lines.get(2)).matches(start + "\"GET /a\\?b=%22 HTTP/1\\.1\" 200 5 \"-\" \"-\"");
        }
    }

    @EachTransport
    void failureIsLoggedWithItsName(TransportKind transport) throws Exception {
        try (TestBalancer balancer =
                        setup(transport, Format.JSON).backend(ClosedPort.find()).start();
                RawClient client = balancer.client()) {
            RawResponse answer = client.send(GET + "\r\n").read();
            close(client, balancer);

            assertThat(line())
                    .contains("\"status\":502")
                    .contains("\"bytes_out\":" + answer.raw().length())
                    .contains("\"connect_ms\":null,\"first_byte_ms\":null")
                    .contains("\"attempts\":1,\"end\":\"connect_refused\"")
                    .contains("\"request_id\":\"" + answer.header("X-Request-Id") + "\"");
        }
    }

    @EachTransport
    void failureReasonIsLogged(TransportKind transport) throws Exception {
        Script tooLong = Script.answer("HTTP/1.1 200 OK\r\nX: " + "y".repeat(70_000) + "\r\n\r\n");
        try (TestBackend backend = TestBackend.playing(tooLong);
                TestBalancer balancer =
                        setup(transport, Format.JSON).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET + "\r\n").read().status()).isEqualTo(502);
            close(client, balancer);

            assertThat(line()).contains("\"end\":\"bad_response\",\"reason\":\"head too long\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void outcomesOfPoliciesAreLogged(PolicyVersion version) throws Exception {
        TestPolicy trial =
                new TestPolicy("trial", Phase.CLIENT_LIMIT, exchange -> new Refusal(429, "rate_limited", ""));
        TestPolicy login = new TestPolicy("login", Phase.IDENTITY, exchange -> {
            exchange.setIdentity(new Identity("ann"));
            return PolicyDecision.PASS;
        });
        TestPolicy office = new TestPolicy("office", Phase.FILTER, exchange -> new Refusal(403, "not_here", ""));
        try (TestBalancer balancer = setup(TransportKind.NIO, Format.JSON)
                .backend(ClosedPort.find())
                .policies(trial.dryRun(), login.named(), office.named())
                .start()) {
            try (PolicyClient client = version.connect(balancer)) {
                assertThat(client.post("/a", "").status()).isEqualTo(403);
            }
            balancer.awaitQuiet();
            balancer.frontend().close();

            assertThat(line())
                    .contains("\"status\":403")
                    .contains("\"end\":\"policy_refused\",\"reason\":\"not_here\"")
                    .contains("\"policy\":\"office\",\"dry_run\":\"trial\",\"identity\":\"ann\"");
        }
    }

    @EachTransport
    void requestErrorIsDescribed(TransportKind transport) throws Exception {
        try (TestBalancer balancer =
                        setup(transport, Format.JSON).backend(ClosedPort.find()).start();
                RawClient client = balancer.client()) {
            assertThat(client.send("GET / HTTP/1.1\r\n\r\n").read().status()).isEqualTo(400);
            close(client, balancer);

            assertThat(line()).contains("\"end\":\"bad_request\",\"reason\":\"missing Host\"");
        }
    }

    @EachTransport
    void http2RequestErrorIsDescribed(TransportKind transport) throws Exception {
        try (TestBalancer balancer =
                        setup(transport, Format.JSON).backend(ClosedPort.find()).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            assertThat(client.read(client.get("/x", "x-a", "b ")).resetCode()).isEqualTo(PROTOCOL_ERROR);
            assertThat(client.read(client.get("/x", "connection", "close")).resetCode())
                    .isEqualTo(PROTOCOL_ERROR);
            assertThat(client.read(client.get("/x", "content-length", "1")).resetCode())
                    .isEqualTo(PROTOCOL_ERROR);
            balancer.await("they are over", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 3);
            client.close();
            balancer.awaitQuiet();
            balancer.frontend().close();

            List<String> lines = Files.readAllLines(log());
            assertThat(lines).allMatch(line -> line.contains("\"method\":\"GET\"") && line.contains("\"path\":\"/x\""));
            assertThat(lines).allMatch(line -> line.contains("\"end\":\"bad_request\""));
            assertThat(lines.get(0)).contains("\"reason\":\"whitespace at the beginning or end of a header value\"");
            assertThat(lines.get(1)).contains("\"reason\":\"header that HTTP/2 does not allow\"");
            assertThat(lines.get(2)).contains("\"reason\":\"body length differs from Content-Length\"");
        }
    }

    /** HTTP/2 protocol errors of a backend, with their log lines. */
    static Stream<Arguments> faultsOfHttp2() {
        return Stream.of(
                Arguments.of("malformed header line", FrameBytes.headers(0, true, block(":status", "200", "X", "y"))),
                Arguments.of(
                        "whitespace at the beginning or end of a header value",
                        FrameBytes.headers(0, true, block(":status", "200", "x", "y "))),
                Arguments.of(
                        "header that HTTP/2 does not allow",
                        FrameBytes.headers(0, true, block(":status", "200", "upgrade", "y"))),
                Arguments.of(
                        "missing, repeated, misplaced or malformed pseudo-header",
                        FrameBytes.headers(0, true, block("x", "y"))),
                Arguments.of(
                        "the stream ended before the body was complete",
                        FrameBytes.headers(0, true, block(":status", "200", "content-length", "3"))),
                Arguments.of(
                        "more than one Content-Length",
                        FrameBytes.headers(
                                0, true, block(":status", "200", "content-length", "0", "content-length", "0"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfHttp2")
    void http2ResponseErrorIsDescribed(String reason, byte[] frame) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.frames(frame));
                TestBalancer balancer = setup(TransportKind.NIO, Format.JSON)
                        .backend(backend.address())
                        .protocol(BackendProtocol.H2C)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET + "\r\n").read().status()).isEqualTo(502);
            close(client, balancer);

            assertThat(line()).contains("\"end\":\"bad_response\",\"reason\":\"" + reason + "\"");
        }
    }

    @Test
    void http2BackendResetIsLoggedWithCode() throws Exception {
        byte[] reset = FrameBytes.reset(0, ErrorCode.INTERNAL_ERROR.ordinal());
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.frames(reset));
                TestBalancer balancer = setup(TransportKind.NIO, Format.JSON)
                        .backend(backend.address())
                        .protocol(BackendProtocol.H2C)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET + "\r\n").read().status()).isEqualTo(502);
            close(client, balancer);

            assertThat(line())
                    .contains("\"end\":\"reset\",\"reason\":\"the backend reset the stream: INTERNAL_ERROR\"");
        }
    }

    private static byte[] block(String... fields) {
        return FrameBytes.block(fields);
    }

    @EachTransport
    void http2TunnelIsLoggedAsGet(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(WebSockets.echo());
                TestBalancer balancer =
                        setup(transport, Format.JSON).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);
            client.upload(stream, /* ends= */ true, new byte[10]).read(stream);
            balancer.await("the end", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 1);
            client.close();
            balancer.awaitQuiet();
            balancer.frontend().close();

            assertThat(line())
                    .contains("\"method\":\"GET\",\"host\":\"a\",\"path\":\"/chat\",\"protocol\":\"HTTP/2.0\"")
                    .contains("\"status\":200,")
                    .contains("\"end\":\"ok\",\"reason\":null,\"upgrade\":\"websocket\"");
            assertThat(balancer.count(ListenerCounter.UPGRADES_IGNORED)).isZero();
        }
    }

    @EachTransport
    void rejectedUpgradeIsLoggedAndCounted(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer =
                        setup(transport, Format.JSON).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET + "Connection: upgrade\r\nUpgrade: h2c\r\n\r\n").read();
            close(client, balancer);

            assertThat(backend.nextRequest()).doesNotContain("h2c");
            assertThat(line()).contains("\"end\":\"ok\",\"reason\":null,\"upgrade\":\"h2c\"");
            assertThat(balancer.count(ListenerCounter.UPGRADES_IGNORED)).isEqualTo(1);
        }
    }

    @EachTransport
    void tunnelIsLoggedAtItsEnd(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.echo());
                TestBalancer balancer =
                        setup(transport, Format.JSON).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();
            assertThat(client.send("0123456789").finishSending().readToEnd()).isEqualTo("0123456789");
            close(client, balancer);

            assertThat(line())
                    .contains("\"status\":101,\"bytes_in\":" + (Upgrades.REQUEST.length() + 10) + ",\"bytes_out\":"
                            + (Upgrades.SWITCH.length() + 10))
                    .contains("\"end\":\"ok\",\"reason\":null,\"upgrade\":\"WebSocket\"");
        }
    }

    @EachTransport
    void logsAttemptsAndLastBackend(TransportKind transport) throws Exception {
        try (TestBackend first = TestBackend.playing(Script.answerAndReset(""));
                TestBackend second = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = setup(transport, Format.JSON)
                        .loops(1)
                        .backend(first)
                        .backend(second)
                        .start();
                RawClient client = balancer.client()) {
            client.send(GET + "\r\n").read();
            close(client, balancer);

            assertThat(line()).contains("\"backend\":\"" + second.address() + "\",\"attempts\":2,\"end\":\"ok\"");
        }
    }

    @EachTransport
    void earlyRejectedRequestsAreLogged(TransportKind transport) throws Exception {
        String[][] refused = {
            {"GET /x HTTP/1.1\r\nHost : a\r\n\r\n", "\"method\":\"GET\",\"host\":null,\"path\":\"/x\"", "400"},
            {"GET /" + "y".repeat(200) + " HTTP/1.1\r\n\r\n", "\"path\":\"/" + "y".repeat(95), "414"},
            {"GET /z HTTP/1.1\r\nHost: a\r\nA: " + "b".repeat(300) + "\r\n\r\n", "\"path\":\"/z\"", "431"},
            {"\"\u001b[2J\\\r\n\r\n", "\"method\":\"\\\"\\u001b[2J\\\\\\\\\"", "400"},
            {"POST /l HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n", "\"host\":\"a\",\"path\":\"/l\"", "413"}
        };
        for (String[] request : refused) {
            Files.deleteIfExists(log());
            try (TestBalancer balancer = setup(transport, Format.JSON)
                            .backend(ClosedPort.find())
                            .limits(new ClientLimits(100, 256, 1024, 100, 10, 100))
                            .start();
                    RawClient client = balancer.client()) {
                assertThat(client.send(request[0]).read().status()).isEqualTo(Integer.parseInt(request[2]));
                close(client, balancer);

                assertThat(line())
                        .contains(request[1].substring(0, Math.min(90, request[1].length())))
                        .contains("\"status\":" + request[2])
                        .contains("\"backend\":null,\"attempts\":0")
                        .containsPattern("\"end\":\"(bad_request|request_too_large)\"");
            }
        }
    }

    @EachTransport
    void clientDisconnectIsLogged(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer =
                        setup(transport, Format.JSON).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET + "\r\n");
            backend.nextRequest();
            close(client, balancer);

            assertThat(line()).contains("\"status\":0").contains("\"end\":\"client_gone\"");
        }
    }

    @EachTransport
    void clientDisconnectDuringHeadIsLogged(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer =
                        setup(transport, Format.JSON).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("GET /half HTTP/1.1\r\nHo");
            balancer.await("it is there", () -> balancer.count(ListenerCounter.BYTES_IN) == 22);
            close(client, balancer);

            assertThat(line())
                    .contains("\"method\":\"GET\",\"host\":null,\"path\":\"/half\"")
                    .contains("\"status\":400,\"bytes_in\":22,\"bytes_out\":0")
                    .contains("\"backend\":null,\"attempts\":0,\"end\":\"client_gone\"");
        }
    }

    @EachTransport
    void diskErrorIsCountedAndTrafficContinues(TransportKind transport) throws Exception {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full), "this system has no device that is always full");
        try (TestBalancer balancer = BalancerSetup.on(transport)
                        .accessLog(new AccessLogConfig(full.toString(), Format.JSON, AccessLogConfig.MIN_QUEUE_BYTES))
                        .backend(ClosedPort.find())
                        .respond("/a", 200, "x")
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET + "\r\n").read().status()).isEqualTo(200);
            }
            balancer.await("three lines lost", () -> balancer.listener().accessLogDropped() == 3);
        }
    }

    @EachTransport
    void unopenableLogPreventsStart(TransportKind transport) throws Exception {
        Path nowhere = directory.resolve("missing/access.log");
        BalancerSetup setup = BalancerSetup.on(transport)
                .accessLog(new AccessLogConfig(nowhere.toString(), Format.JSON, AccessLogConfig.MIN_QUEUE_BYTES))
                .backend(ClosedPort.find());

        assertThatThrownBy(setup::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot write the access log " + nowhere + ": no such file or directory");
    }

    private BalancerSetup setup(TransportKind transport, Format format) {
        return BalancerSetup.on(transport)
                .accessLog(new AccessLogConfig(log().toString(), format, AccessLogConfig.MIN_QUEUE_BYTES));
    }

    private Path log() {
        return directory.resolve("access.log");
    }

    /** Closes the client, then the balancer, so that all queued log lines are written. */
    private static void close(RawClient client, TestBalancer balancer) {
        client.close();
        balancer.awaitQuiet();
        balancer.frontend().close();
    }

    private String line() throws IOException {
        List<String> lines = Files.readAllLines(log(), StandardCharsets.UTF_8);
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }
}
