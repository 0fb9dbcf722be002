package io.ballast.http.policy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests policies that read the body of a request before they decide. */
class PolicyBodyTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final int LARGE = 300_000;

    /** The bodies that the policy has read, each with a + if it was complete. */
    private final Queue<String> bodies = new ConcurrentLinkedQueue<>();

    private TestPolicy reading(int maxBytes, boolean needsWhole) {
        return reading("reading", maxBytes, needsWhole, PolicyDecision.PASS);
    }

    private TestPolicy reading(String name, int maxBytes, boolean needsWhole, PolicyDecision decision) {
        return new TestPolicy(name, Phase.FILTER, exchange -> {
            CompletableFuture<RequestBody> body = exchange.readBody(maxBytes, needsWhole);
            return new PendingDecision(body.thenApply(read -> {
                bodies.add(new String(read.bytes(), US_ASCII) + (read.isComplete() ? "+" : "-"));
                return decision;
            }));
        });
    }

    private static BalancerSetup before(TestBackend backend, NamedPolicy... policies) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policies);
    }

    @ParameterizedTest
    @EnumSource
    void bodyIsReadAndForwarded(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(
                                backend, reading(10, /* needsWhole= */ true).named())
                        .start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "bo");
            balancer.goRound();
            assertThat(backend.connections()).isZero();
            client.continueBody("dy");

            assertThat(client.read().body()).contains("\r\nbody");
            assertThat(client.post("/b", "next").body()).contains("\r\nnext");
            assertThat(client.post("/c", "").status()).isEqualTo(200);
            assertThat(bodies).containsExactly("body+", "next+", "+");
        }
    }

    @ParameterizedTest
    @EnumSource
    void severalPoliciesReadTheSameBody(PolicyVersion version) throws Exception {
        TestPolicy first = reading("first", 10, /* needsWhole= */ true, PolicyDecision.PASS);
        TestPolicy second = reading("second", 2, /* needsWhole= */ false, PolicyDecision.PASS);
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        before(backend, first.named(), second.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "bo");
            client.continueBody("dy");

            assertThat(client.read().body()).contains("\r\nbody");
            assertThat(bodies).containsExactly("body+", "bo-");
        }
    }

    @ParameterizedTest
    @EnumSource
    void announcedLengthAloneIsTooLarge(PolicyVersion version) throws Exception {
        Refusal refusal = new Refusal(413, "too_large", "");
        TestPolicy policy = reading("reading", 3, /* needsWhole= */ true, refusal);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, policy.named()).start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/a", "body", "expect", "100-continue").status())
                    .isEqualTo(413);
        }
    }

    @ParameterizedTest
    @EnumSource
    void largeBodyPassesTheWindowsOfTheClient(PolicyVersion version) throws Exception {
        String body = "x".repeat(LARGE);
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(
                                backend, reading(LARGE, /* needsWhole= */ true).named())
                        .start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/a", body).status()).isEqualTo(200);
            assertThat(bodies).containsExactly(body + "+");
            assertThat(backend.nextRequest()).hasSizeGreaterThan(LARGE);
            assertThat(client.post("/b", body).status()).isEqualTo(200); // the whole window is available again
        }
    }

    @ParameterizedTest
    @EnumSource
    void restOfALongBodyIsForwarded(PolicyVersion version) throws Exception {
        String body = "x".repeat(LARGE);
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(
                                backend, reading(4, /* needsWhole= */ false).named())
                        .start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/a", body).status()).isEqualTo(200);
            assertThat(bodies).containsExactly("xxxx-");
            assertThat(backend.nextRequest()).hasSizeGreaterThan(LARGE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void silentClientGets408(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(
                                backend, reading(10, /* needsWhole= */ true).named())
                        .deadlines(new ClientDeadlines(LONG, SHORT, LONG, LONG))
                        .start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "bo");

            assertThat(client.read().status()).isEqualTo(408);
            assertThat(balancer.count(Failure.REQUEST_BODY_TIMEOUT)).isOne();
            assertThat(backend.connections()).isZero();
            assertThat(bodies).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectEndsTheRead(PolicyVersion version) throws Exception {
        TestPolicy first = new TestPolicy("first", Phase.ADDRESS, exchange -> PolicyDecision.PASS);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(
                                backend,
                                first.named(),
                                reading(10, /* needsWhole= */ true).named())
                        .start()) {
            try (PolicyClient client = version.connect(balancer)) {
                client.begin("/a", "bo");
                balancer.goRound();
            }
            balancer.await("the request has ended", () -> first.ends().equals(List.of(0)));
            assertThat(balancer.count(Failure.CLIENT_GONE)).isOne();
        }
    }

    @Test
    void chunkedBodyIsDecodedForThePolicy() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(
                                backend, reading(10, /* needsWhole= */ true).named())
                        .start();
                RawClient client = balancer.client()) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n");
            balancer.goRound();
            client.send("2;a=b\r\ndy\r\n0\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(client.read().body()).contains("2\r\nbo\r\n2;a=b\r\ndy\r\n0\r\n\r\n");
            assertThat(client.read().body()).startsWith("GET /b");
            assertThat(bodies).containsExactly("body+", "+");
        }
    }

    @Test
    void invalidChunkedBodyGets400() throws Exception {
        String head = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(
                                backend, reading(10, /* needsWhole= */ true).named())
                        .start()) {
            try (RawClient client = balancer.client()) {
                assertThat(client.send(head + "zz").read().status()).isEqualTo(400);
            }
            try (RawClient client = balancer.client()) {
                client.send(head + "2\r\nbo\r\n");
                balancer.goRound();
                RawResponse answer = client.send("zz").read();

                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.header("Connection")).isEqualTo("close");
            }
            assertThat(backend.connections()).isZero();
            assertThat(balancer.count(Failure.BAD_REQUEST)).isEqualTo(2);
        }
    }

    @Test
    void clientThatExpectsContinueGetsIt() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(
                                backend, reading(10, /* needsWhole= */ true).named())
                        .start();
                RawClient client = balancer.client()) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.readHead()).startsWith("HTTP/1.1 100 Continue\r\n");
            client.send("body");

            assertThat(client.read().body()).contains("\r\nbody");
            assertThat(bodies).containsExactly("body+");
        }
    }

    @Test
    void http2ClientThatExpectsContinueGetsIt() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(
                                backend, reading(10, /* needsWhole= */ true).named())
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/a", "expect", "100-continue");
            Http2Response response = client.response(stream);
            client.await("the client may continue", () -> response.blocks().size() == 1);
            client.upload(stream, /* ends= */ true, "body".getBytes(US_ASCII));

            assertThat(client.read(stream).body()).contains("body");
            assertThat(bodies).containsExactly("body+");
        }
    }
}
