package io.ballast.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.stats.Counters;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.ballast.net.config.TransportKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests policies that decide later about a response. The response waits for the decision. */
class HeldResponseTest {

    private static final int PIECE = 1 << 16;
    /** The length of a body that does not fit into the socket buffers. */
    private static final int LARGE = 256 * PIECE;

    /** Adds a header line as soon as the test completes its decision. */
    private static final class Waiting implements ResponsePolicy {

        private final String name;
        private final CompletableFuture<Object> decision = new CompletableFuture<>();

        Waiting(String name) {
            this.name = name;
        }

        @Override
        public Phase phase() {
            return Phase.FILTER;
        }

        @Override
        public PolicyDecision evaluate(PolicyExchange exchange, int step) {
            exchange.awaitResponse(step);
            return PolicyDecision.PASS;
        }

        @Override
        public CompletableFuture<?> prepare(PolicyExchange exchange, int step, ResponseEdit response) {
            return decision;
        }

        @Override
        public @Nullable BodyTransform respond(PolicyExchange exchange, int step, ResponseEdit response) {
            response.addedLines().appendAscii("X-Decided: " + name + "\r\n");
            return null;
        }

        boolean isCalled() {
            return decision.getNumberOfDependents() > 0;
        }

        NamedPolicy named() {
            return new NamedPolicy(name, "test", this, /* dryRun= */ false, new Counters<>(PolicyCounter.class, 2));
        }
    }

    private final Waiting first = new Waiting("first");
    private final Waiting second = new Waiting("second");

    private static BalancerSetup before(TestBackend backend, NamedPolicy... policies) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policies);
    }

    @ParameterizedTest
    @EnumSource
    void responseWaitsForEachPolicy(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        before(backend, first.named(), second.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "");
            balancer.await("the first policy is called", first::isCalled);
            balancer.goRound();
            assertThat(second.isCalled()).isFalse();
            first.decision.complete("");
            balancer.await("the second policy is called", second::isCalled);
            second.decision.complete("");
            PolicyClient.Answer answer = client.read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers("x-decided")).containsExactly("first", "second");
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(client.post("/b", "body").body()).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @EnumSource
    void largeBodyWaitsWithinBounds(PolicyVersion version) throws Exception {
        byte[] piece = "x".repeat(PIECE).getBytes(StandardCharsets.US_ASCII);
        AtomicLong sent = new AtomicLong();
        Script script = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n");
            for (int i = 0; i < LARGE / PIECE; i++) {
                connection.send(piece);
                sent.addAndGet(PIECE);
            }
        };
        try (TestBackend backend = TestBackend.playing(script);
                TestBalancer balancer = before(backend, first.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "");
            balancer.await("the policy is called", first::isCalled);
            balancer.awaitStandstill(sent::get);
            assertThat(sent).hasValueLessThan(LARGE);
            first.decision.complete("");

            assertThat(client.read().body()).hasSize(LARGE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void chunkedResponseContinues(PolicyVersion version) throws Exception {
        String response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(Script.answer(response));
                TestBalancer balancer = before(backend, first.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "");
            balancer.await("the policy is called", first::isCalled);
            first.decision.complete("");

            assertThat(client.read().body()).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @EnumSource
    void failedDecisionHidesTheResponse(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("secret"), Script.ok("hello"));
                TestBalancer balancer = before(backend, first.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "");
            balancer.await("the policy is called", first::isCalled);
            first.decision.completeExceptionally(new IllegalStateException("a fault"));
            PolicyClient.Answer answer = client.read();

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.body()).doesNotContain("secret");
            assertThat(balancer.count(Failure.RESPONSE_POLICY_FAILED)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectCancelsTheDecision(PolicyVersion version) throws Exception {
        TestPolicy ending = new TestPolicy("ending", Phase.ADDRESS, exchange -> PolicyDecision.PASS);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        before(backend, ending.named(), first.named()).start()) {
            try (PolicyClient client = version.connect(balancer)) {
                client.begin("/a", "");
                balancer.await("the policy is called", first::isCalled);
            }
            balancer.await("the request has ended", () -> ending.ends().equals(List.of(0)));

            assertThat(first.decision).isCancelled();
        }
    }

    @ParameterizedTest
    @EnumSource
    void responseThatBreaksOffIsCut(PolicyVersion version) throws Exception {
        String cut = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel";
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose(cut));
                TestBalancer balancer = before(backend, first.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "");
            balancer.await("the policy is called", first::isCalled);
            first.decision.complete("");

            balancer.await("the response is cut", () -> balancer.count(Failure.RESPONSE_CUT) == 1);
        }
    }

    @Test
    void connectionThatClosesAfterTheResponseIsNotAnError() throws Exception {
        String response = "HTTP/1.0 200 OK\r\n\r\nhello";
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose(response));
                TestBalancer balancer = before(backend, first.named()).start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            balancer.await("the policy is called", first::isCalled);
            balancer.goRound();
            first.decision.complete("");

            assertThat(client.readToEnd()).contains("X-Decided: first").endsWith("hello");
        }
    }

    @Test
    void responseToHeadRequestIsForwarded() throws Exception {
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(Script.answer(response));
                TestBalancer balancer = before(backend, first.named()).start();
                RawClient client = balancer.client()) {
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            balancer.await("the policy is called", first::isCalled);
            first.decision.complete("");

            assertThat(client.readHead()).contains("Content-Length: 9\r\n", "X-Decided: first\r\n");
        }
    }
}
