package io.ballast.http.h3.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h3.testing.Http3Answer;
import io.ballast.http.h3.testing.Http3Client;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Refusal;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import io.netty.handler.codec.http3.DefaultHttp3Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests requests over HTTP/3, whose responses must equal those over other versions. */
class Http3RequestsTest {

    private static final TestCertificate LOCAL = TestCertificate.create();

    @TempDir
    private Path directory;

    private BalancerSetup setup(TransportKind transport) throws IOException {
        return BalancerSetup.on(transport)
                .tls(ListenerTls.of(LOCAL.write(directory)))
                .http3();
    }

    private BalancerSetup setup() throws IOException {
        return setup(TransportKind.NIO);
    }

    @EachTransport
    void servesSequentialRequests(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup(transport).backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            for (int i = 0; i < 3; i++) {
                Http3Answer answer = client.get("/path?q=" + i).read();

                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo("hello");
            }
            assertThat(backend.requests()).hasSize(3);
            assertThat(balancer.count(ListenerCounter.HTTP3_CONNECTIONS)).isOne();
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 70_000, 1_000_000, 10 * 1024 * 1024})
    void bodiesArriveUnchanged(int length) throws Exception {
        byte[] body = new byte[length];
        new SplittableRandom(length).nextBytes(body);
        Script echo = connection -> {
            String head = connection.readHead();
            String received = connection.readBody(head);
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + received.length() + "\r\n\r\n" + received);
        };
        try (TestBackend backend = TestBackend.playing(echo);
                TestBalancer balancer = setup().backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer = client.open()
                    .head(Http3Client.fields("POST", "/", "content-length", Integer.toString(length)))
                    .body(body)
                    .end()
                    .read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(checksum(answer.bytes())).isEqualTo(checksum(body));
        }
    }

    private static String checksum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return bytes.length + " bytes, " + sum.getValue();
    }

    @Test
    void bodyOfUnknownLengthIsSentInChunks() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = setup().backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Client.Request request = client.open().head(Http3Client.fields("POST", "/"));
            balancer.await("the head has arrived", () -> balancer.count(ListenerCounter.REQUESTS) == 1);
            Http3Answer answer =
                    request.data(bytes("one")).data(bytes("two")).end().read();

            assertThat(answer.body().toLowerCase(Locale.ROOT)).contains("transfer-encoding: chunked");
            assertThat(answer.body()).contains("one").contains("two").endsWith("0\r\n\r\n");
        }
    }

    @Test
    void headHasNoBody() throws Exception {
        try (TestBackend backend =
                        TestBackend.playing(Script.answer("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"));
                TestBalancer balancer = setup().backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer =
                    client.open().head(Http3Client.fields("HEAD", "/")).end().read();

            assertThat(answer.header("content-length")).isEqualTo("1000");
            assertThat(answer.bytes()).isEmpty();
        }
    }

    @Test
    void balancerAnswersItself() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup().backend(backend)
                        .withoutDefaultRoute()
                        .respond("/fixed", 201, "made here")
                        .start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer fixed = client.get("/fixed").read();
            Http3Answer none = client.get("/none").read();

            assertThat(fixed.status()).isEqualTo(201);
            assertThat(fixed.body()).isEqualTo("made here");
            assertThat(none.status()).isEqualTo(404);
            assertThat(none.body()).startsWith("404 Not Found");
        }
    }

    @Test
    void policyRefuses() throws Exception {
        TestPolicy policy = new TestPolicy("p", Phase.IDENTITY, exchange -> new Refusal(403, "denied", ""));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        setup().backend(backend).policies(policy.named()).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer = client.get("/").read();
            Http3Answer call = client.open()
                    .head(Http3Client.fields("POST", "/Service/Call", "content-type", "application/grpc"))
                    .end()
                    .read();

            assertThat(answer.status()).isEqualTo(403);
            assertThat(call.status()).isEqualTo(200);
            assertThat(call.header("grpc-status")).isEqualTo("7");
        }
    }

    @ParameterizedTest
    @CsvSource({"application/grpc, 200, 14", "text/plain, 502, ''"})
    void unreachableBackendIsReported(String type, int status, String grpcStatus) throws Exception {
        try (TestBalancer balancer = setup().backend(ClosedPort.find()).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer = client.open()
                    .head(Http3Client.fields("POST", "/Service/Call", "content-type", type))
                    .end()
                    .read();

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.header("grpc-status")).isEqualTo(grpcStatus);
        }
    }

    @Test
    void informationalResponseAndTrailersPass() throws Exception {
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
        String end = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nX-Sum: 42\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(Script.answer(hints + end));
                TestBalancer balancer = setup().backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer = client.get("/").read();

            assertThat(answer.statuses()).containsExactly("103", "200");
            assertThat(answer.body()).isEqualTo("body");
            assertThat(answer.trailers()).isEqualTo(Map.of("x-sum", "42"));
        }
    }

    @Test
    void requestTrailersPass() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = setup().backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer = client.open()
                    .head(Http3Client.fields("POST", "/"))
                    .data(bytes("body"))
                    .head(new DefaultHttp3Headers(/* validate= */ false).add("x-sum", "42"))
                    .end()
                    .read();

            assertThat(answer.body()).contains("body").containsIgnoringCase("x-sum: 42");
        }
    }

    @Test
    void grpcPassesToHttp2Backend() throws Exception {
        Http2Script script = connection -> {
            connection.begin();
            Http2Request request = connection.nextHead();
            connection.answer(request, "message");
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(script);
                TestBalancer balancer = setup().backend(backend.address())
                        .protocol(BackendProtocol.H2C)
                        .start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer = client.open()
                    .head(Http3Client.fields(
                            "POST", "/Service/Call", "content-type", "application/grpc", "te", "trailers"))
                    .end()
                    .read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("message");
        }
    }

    @Test
    void manyStreamsAreServedAtOnce() throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(all, "x".repeat(10_000)));
                TestBalancer balancer = setup().backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            List<Http3Client.Request> requests = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                requests.add(client.get("/" + i));
            }
            balancer.await("all have arrived", () -> balancer.count(ListenerCounter.REQUESTS) == 100);
            all.countDown();

            for (Http3Client.Request request : requests) {
                assertThat(request.read().body()).hasSize(10_000);
            }
        }
    }

    @Test
    void requestIsLoggedAndForwardedWithItsVersion() throws Exception {
        Path log = directory.resolve("log");
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = setup().backend(backend)
                        .forwarding(Forwarding.OVERWRITE)
                        .forwardingHeaders(EnumSet.allOf(ForwardingHeader.class))
                        .accessLog(new AccessLogConfig(
                                log.toString(), AccessLogConfig.Format.JSON, AccessLogConfig.DEFAULT_QUEUE_BYTES))
                        .start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            String sent = client.get("/logged").read().body().toLowerCase(Locale.ROOT);

            assertThat(sent.lines())
                    .contains("via: 3 ballast", "x-forwarded-for: 127.0.0.1", "x-forwarded-proto: https", "host: a");
        }
        assertThat(Files.readString(log)).contains("HTTP/3.0").contains("/logged");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
