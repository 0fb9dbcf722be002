package io.ballast.http.policy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.local.ResponseSink;
import io.ballast.http.local.ResponseSource;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.http.testing.TestSource;
import io.ballast.net.config.TransportKind;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests policies that answer with a {@link LocalResponse}. */
class LocalResponseTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private static final Duration LONG = Duration.ofSeconds(60);

    private final Queue<ResponseSource> sources = new ConcurrentLinkedQueue<>();
    private final TestPolicy cache = new TestPolicy("cache", Phase.CACHE, exchange -> {
        ResponseSource source = sources.poll();
        return source == null ? PolicyDecision.PASS : new LocalResponse(source, "hit");
    });
    private final TestPolicy before = new TestPolicy("before", Phase.ADDRESS, exchange -> PolicyDecision.PASS);
    private final TestPolicy after = new TestPolicy("after", Phase.RESPONSE, exchange -> PolicyDecision.PASS);
    private TestBackend backend;

    @BeforeEach
    void startBackend() throws Exception {
        backend = TestBackend.playing(Script.ok("from the backend"));
    }

    @AfterEach
    void stopBackend() throws Exception {
        backend.close();
    }

    private BalancerSetup setup(NamedPolicy... policies) {
        return BalancerSetup.on(TransportKind.NIO).loops(1).backend(backend).policies(policies);
    }

    private TestBalancer start() throws BindException {
        return setup(before.named(), cache.named(), after.named()).start();
    }

    private TestSource source(TestSource source) {
        sources.add(source);
        return source;
    }

    @ParameterizedTest
    @EnumSource
    void sourceAnswersInsteadOfBackend(PolicyVersion version) throws Exception {
        TestSource large = source(TestSource.ofLength(1_000_000));
        TestSource empty = source(TestSource.ofLength(0));
        try (TestBalancer balancer = start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/a", "");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers("x-local")).containsExactly("1");
            assertThat(answer.headers("content-length")).containsExactly("1000000");
            assertThat(answer.headers("date")).hasSize(1);
            assertThat(answer.body()).isEqualTo(TestSource.body(1_000_000));
            assertThat(client.post("/b", "").body()).isEmpty();
            assertThat(backend.connections()).isZero();
            assertThat(client.post("/c", "").body()).isEqualTo("from the backend");
            assertThat(large.cancellations() + empty.cancellations()).isZero();
            assertThat(balancer.count(ListenerCounter.RESPONSES_2XX)).isEqualTo(3);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
            assertThat(cache.count(PolicyCounter.ANSWERED)).isEqualTo(2);
            balancer.await("all requests have ended", () -> before.ends().equals(List.of(200, 200, 200)));
            assertThat(after.ends()).containsExactly(200, 200, 200);
            assertThat(cache.ends()).containsExactly(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void lengthMayBeUnknown(PolicyVersion version) throws Exception {
        source(new TestSource("HTTP/1.1 404 Not Found\r\n", 100_000));
        try (TestBalancer balancer = start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/a", "");

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.body()).isEqualTo(TestSource.body(100_000));
            assertThat(client.post("/b", "").body()).isEqualTo("from the backend");
        }
    }

    @ParameterizedTest
    @EnumSource
    void bodyOfRequestIsDiscarded(PolicyVersion version) throws Exception {
        TestSource waiting = source(TestSource.ofLength(5).manual());
        try (TestBalancer balancer = start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "bo");
            balancer.await("the source is started", waiting::isStarted);
            client.continueBody("dy");
            waiting.run(sink -> {
                byte[] head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n".getBytes(US_ASCII);
                sink.head(head, head.length);
                sink.body(sink.allocator().directBuffer(2).writeBytes(new byte[] {'o', 'k'}));
                sink.end();
                sink.end();
                sink.fail("has no effect");
            });

            assertThat(client.read().body()).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @EnumSource
    void failureBeforeHeadIsStatus500(PolicyVersion version) throws Exception {
        TestSource failing = source(TestSource.ofLength(5).failingWith(new IllegalStateException("test")));
        TestSource waiting = source(TestSource.ofLength(5).manual());
        try (TestBalancer balancer = start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/a", "").status()).isEqualTo(500);
            assertThat(failing.cancellations()).isOne();

            client.begin("/b", "");
            balancer.await("the source is started", waiting::isStarted);
            waiting.run(sink -> sink.fail("no file"));
            assertThat(client.read().status()).isEqualTo(500);
            assertThat(waiting.cancellations()).isZero();
            assertThat(balancer.count(Failure.LOCAL_RESPONSE_FAILED)).isEqualTo(2);
        }
    }

    @Test
    void invalidHeadFailsTheResponse() throws Exception {
        try (TestBalancer balancer = start()) {
            for (String head : List.of("HTTP/1.1 100 Continue\r\n", "nonsense\r\n", "", "HTTP/1.1 200\r\nA b\r\n")) {
                TestSource invalid = source(new TestSource(head, 0));
                try (RawClient client = balancer.client()) {
                    assertThat(client.send(GET).read().status()).as(head).isEqualTo(500);
                    assertThat(invalid.cancellations()).as(head).isOne();
                }
            }
        }
    }

    @Test
    void clientDetectsIncompleteResponse() throws Exception {
        try (TestBalancer balancer = start();
                RawClient client = balancer.client();
                Http2Client http2 = Http2Client.connect(balancer.port())) {
            TestSource source = source(TestSource.ofLength(9).manual());
            client.send(GET);
            sendHalf(balancer, source);
            assertThat(client.readExactly(client.readHead().isEmpty() ? 0 : 4)).isEqualTo("half");
            source.run(ResponseSink::end); // the rest of the body is missing
            assertThat(client.readToEnd()).isEmpty();

            TestSource overHttp2 = source(TestSource.ofLength(9).manual());
            int stream = http2.get("/");
            sendHalf(balancer, overHttp2);
            overHttp2.run(sink -> sink.fail("the file has become shorter"));
            assertThat(http2.read(stream).resetCode()).isPositive();
        }
    }

    private static void sendHalf(TestBalancer balancer, TestSource source) {
        balancer.await("the source is started", source::isStarted);
        source.run(sink -> {
            byte[] head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n".getBytes(US_ASCII);
            sink.head(head, head.length);
            sink.body(sink.allocator().directBuffer(4).writeBytes("half".getBytes(US_ASCII)));
        });
    }

    @Test
    void bodyIsNotLongerThanAnnounced() throws Exception {
        TestSource tooLong = source(new TestSource("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n", 4));
        try (TestBalancer balancer = start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).readToEnd()).doesNotContain("abc");
            assertThat(tooLong.cancellations()).isOne();
        }
    }

    @Test
    void headRequestGetsNoBody() throws Exception {
        source(TestSource.ofLength(100_000));
        source(new TestSource("HTTP/1.1 200 OK\r\n", 100));
        source(new TestSource("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n", 5));
        try (TestBalancer balancer = start();
                RawClient client = balancer.client()) {
            String head = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";

            assertThat(client.send(head).readHead()).contains("Content-Length: 100000\r\n");
            assertThat(client.send(head).readHead()).startsWith("HTTP/1.1 200 ");
            assertThat(client.send(GET).readHead()).startsWith("HTTP/1.1 304 ");
            assertThat(client.send(GET).read().body()).isEqualTo("from the backend");
        }
    }

    @Test
    void clientOfHttp10GetsUncodedBody() throws Exception {
        source(new TestSource("HTTP/1.1 200 OK\r\n", 1000));
        source(TestSource.ofLength(10));
        try (TestBalancer balancer = start();
                RawClient client = balancer.client();
                RawClient keeping = balancer.client()) {
            String answer = client.send("GET / HTTP/1.0\r\n\r\n").readToEnd();

            assertThat(answer).endsWith("\r\n\r\n" + TestSource.body(1000)).doesNotContain("chunked");
            RawResponse kept = keeping.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    .read();
            assertThat(kept.body()).isEqualTo(TestSource.body(10));
            assertThat(kept.header("Connection")).isEqualTo("keep-alive");
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInSequence() throws Exception {
        for (int i = 0; i < 200; i++) {
            source(TestSource.ofLength(1000));
        }
        try (TestBalancer balancer = start();
                RawClient client = balancer.client()) {
            client.send(GET.repeat(201));

            for (int i = 0; i < 200; i++) {
                assertThat(client.read().body()).isEqualTo(TestSource.body(1000));
            }
            assertThat(client.read().body()).isEqualTo("from the backend");
        }
    }

    @Test
    void slowClientHoldsTheSource() throws Exception {
        int length = 20_000_000;
        TestSource large = source(TestSource.ofLength(length));
        TestSource overHttp2 = source(TestSource.ofLength(length));
        try (TestBalancer balancer = start();
                RawClient client = balancer.client();
                Http2Client http2 = Http2Client.connect(balancer.port()).keepingWindows()) {
            client.send(GET);
            balancer.awaitStandstill(large::sentBytes, 1);
            assertThat(large.sentBytes()).isLessThan(length);
            http2.get("/");
            balancer.awaitStandstill(overHttp2::sentBytes, 1);
            assertThat(overHttp2.sentBytes()).isLessThan(1_000_000);

            assertThat(client.read().body()).hasSize(length);
            assertThat(large.cancellations()).isZero();
        }
        assertThat(overHttp2.cancellations()).isOne();
    }

    @Test
    void disconnectCancelsTheSourceOnce() throws Exception {
        TestSource large = source(TestSource.ofLength(20_000_000));
        TestSource waiting = source(TestSource.ofLength(5).manual());
        TestSource overHttp2 = source(TestSource.ofLength(5).manual());
        try (TestBalancer balancer = start()) {
            try (RawClient client = balancer.client()) {
                client.send(GET);
                balancer.awaitStandstill(large::sentBytes, 1);
            }
            balancer.await("the source is cancelled", () -> large.cancellations() == 1);
            try (RawClient client = balancer.client()) {
                client.send(GET);
                balancer.await("the source is started", waiting::isStarted);
                client.reset();
            }
            balancer.await("the source is cancelled", () -> waiting.cancellations() == 1);
            waiting.run(sink -> {
                sink.body(sink.allocator().directBuffer(1).writeByte(0)); // too late: released and ignored
                assertThat(sink.isWritable()).isFalse();
                sink.end();
            });
            try (Http2Client client = Http2Client.connect(balancer.port())) {
                client.get("/");
                balancer.await("the source is started", overHttp2::isStarted);
            }
            balancer.await("the source is cancelled", () -> overHttp2.cancellations() == 1);
            balancer.await("no buffer is in use", () -> balancer.buffersInUse() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void exchangeTimeoutCancelsTheSource(PolicyVersion version) throws Exception {
        TestSource waiting = source(TestSource.ofLength(5).manual());
        try (TestBalancer balancer = setup(cache.named())
                        .deadlines(new ClientDeadlines(
                                LONG, LONG, LONG, LONG, Duration.ofMillis(50), MinimumRate.DEFAULT, LONG))
                        .start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/", "").status()).isEqualTo(504);
            assertThat(waiting.cancellations()).isOne();
        }
    }

    @Test
    void sourceThatIsNotUsedIsCancelled() throws Exception {
        TestSource dry = source(TestSource.ofLength(5));
        TestSource late = TestSource.ofLength(5);
        CompletableFuture<PolicyDecision> pending = new CompletableFuture<>();
        TestPolicy asynchronous = new TestPolicy("late", Phase.CACHE, exchange -> new PendingDecision(pending));
        try (TestBalancer balancer = setup(cache.dryRun()).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("from the backend");
            assertThat(dry.cancellations()).isOne();
        }
        try (TestBalancer balancer = setup(asynchronous.named()).start();
                RawClient client = balancer.client()) {
            client.send(GET);
            balancer.await("the policy is called", () -> pending.getNumberOfDependents() > 0);
            pending.complete(new LocalResponse(late, "hit"));
            assertThat(client.read().body()).isEqualTo("abcde");
            assertThat(late.cancellations()).isZero();
        }
    }

    @Test
    void grpcCallGetsFailure() throws Exception {
        TestSource source = source(TestSource.ofLength(5));
        try (TestBalancer balancer = start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            Http2Response response = client.read(client.get("/", "content-type", "application/grpc"));

            assertThat(response.header("grpc-status")).isEqualTo("14");
            assertThat(response.header("grpc-message")).isEqualTo("hit");
            assertThat(source.cancellations()).isOne();
        }
    }
}
