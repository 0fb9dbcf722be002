package io.ballast.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how policies evaluate requests of both HTTP versions. */
class PolicyTest {

    private static final Refusal LIMITED = new Refusal(429, "rate_limited", "too many requests");

    private final CompletableFuture<PolicyDecision> pending = new CompletableFuture<>();
    private final TestPolicy passing = new TestPolicy("passing", Phase.ADDRESS, exchange -> PolicyDecision.PASS);
    private final TestPolicy limit = new TestPolicy("limit", Phase.CLIENT_LIMIT, exchange -> LIMITED);
    private final TestPolicy asynchronous =
            new TestPolicy("asynchronous", Phase.IDENTITY, exchange -> new PendingDecision(pending));

    private static BalancerSetup before(TestBackend backend, NamedPolicy... policies) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policies);
    }

    @ParameterizedTest
    @EnumSource
    void passedRequestIsForwarded(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(backend, passing.named()).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/a", "body");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("body");
            balancer.await("the request has ended", () -> passing.ends().equals(List.of(200)));
            assertThat(passing.count(PolicyCounter.PASSED)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusedRequestReachesNoBackend(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        before(backend, limit.named(), passing.named()).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/a", "body");

            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.body()).contains("too many requests");
            assertThat(client.post("/b", "").status()).isEqualTo(429);
            assertThat(backend.connections()).isZero();
            assertThat(balancer.count(Failure.POLICY_REFUSED)).isEqualTo(2);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
            assertThat(limit.count(PolicyCounter.REFUSED)).isEqualTo(2);
            balancer.await("both requests have ended", () -> passing.ends().equals(List.of(429, 429)));
            assertThat(limit.ends()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusalIsRememberedOnce(PolicyVersion version) throws Exception {
        NamedPolicy refusing = limit.named();
        NamedPolicy dry = new TestPolicy("dry", Phase.ADDRESS, exchange -> LIMITED).dryRun();
        NamedPolicy later = asynchronous.named();
        pending.complete(LIMITED);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, refusing, dry).start();
                TestBalancer other = before(backend, later).start();
                PolicyClient client = version.connect(balancer);
                PolicyClient otherClient = version.connect(other)) {
            assertThat(client.post("/a?query", "body").status()).isEqualTo(429);
            assertThat(otherClient.post("/b", "body").status()).isEqualTo(429);

            for (NamedPolicy policy : List.of(refusing, dry)) {
                assertThat(policy.refusals().newest(10)).singleElement().satisfies(refusal -> {
                    assertThat(refusal.client()).isEqualTo("127.0.0.1");
                    assertThat(refusal.method()).isEqualTo("POST");
                    assertThat(refusal.path()).isEqualTo("/a");
                    assertThat(refusal.reason()).isEqualTo("rate_limited");
                    assertThat(refusal.isDryRun()).isEqualTo(policy.dryRun());
                });
            }
            assertThat(later.refusals().newest(10))
                    .as("decided later")
                    .extracting(RecentRefusal::path)
                    .containsExactly("/b");
        }
    }

    @ParameterizedTest
    @EnumSource
    void dryRunCountsWithoutEffect(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, limit.dryRun()).start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/a", "").body()).isEqualTo("hello");
            assertThat(limit.count(PolicyCounter.WOULD_REFUSE)).isOne();
            assertThat(limit.count(PolicyCounter.REFUSED)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void dryRunAddsNothing(PolicyVersion version) throws Exception {
        TestPolicy limiting = new TestPolicy("limiting", Phase.CLIENT_LIMIT, exchange -> {
            exchange.requestLines().appendAscii("X-Dry: request\r\n");
            exchange.responseLines().appendAscii("X-Dry: response\r\n");
            exchange.setIdentity(new Identity("alice"));
            return LIMITED;
        });
        AtomicReference<String> identity = new AtomicReference<>();
        TestPolicy reading = new TestPolicy("reading", Phase.FILTER, exchange -> {
            identity.set(exchange.identity().name());
            return PolicyDecision.PASS;
        });
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        before(backend, limiting.dryRun(), reading.named()).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/a", "");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers("x-dry")).isEmpty();
            assertThat(backend.nextRequest()).doesNotContain("X-Dry");
            assertThat(identity).hasValue("");
        }
    }

    @ParameterizedTest
    @EnumSource
    void policyAnswersWithItsOwnResponse(PolicyVersion version) throws Exception {
        byte[] body = "log in first".getBytes(StandardCharsets.US_ASCII);
        TestPolicy login = new TestPolicy("login", Phase.IDENTITY, exchange -> {
            exchange.responseLines().appendAscii("Location: /login\r\n");
            return new DirectResponse(302, "login", "text/plain", body);
        });
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        before(backend, login.named(), passing.named()).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/a", "body");

            assertThat(answer.status()).isEqualTo(302);
            assertThat(answer.headers("location")).containsExactly("/login");
            assertThat(answer.headers("content-type")).containsExactly("text/plain");
            assertThat(answer.body()).isEqualTo("log in first");
            assertThat(client.post("/b", "").status()).isEqualTo(302);
            assertThat(backend.connections()).isZero();
            assertThat(login.count(PolicyCounter.ANSWERED)).isEqualTo(2);
            assertThat(balancer.count(Failure.POLICY_REFUSED)).isZero();
            balancer.await("both requests have ended", () -> passing.ends().equals(List.of(302, 302)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void responseWithoutBodyIsComplete(PolicyVersion version) throws Exception {
        TestPolicy preflight =
                new TestPolicy("preflight", Phase.PREFLIGHT, exchange -> new DirectResponse(204, "cors_preflight"));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, preflight.named()).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/a", "");

            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.headers("content-length")).isEmpty();
            assertThat(client.post("/b", "").status()).isEqualTo(204);
        }
    }

    @ParameterizedTest
    @EnumSource
    void policyLearnsTheResponseTime(PolicyVersion version) throws Exception {
        List<Long> times = new CopyOnWriteArrayList<>();
        passing.onEnd(exchange -> times.add(exchange.firstByteNanos()));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, passing.named())
                        .respond("/fixed", 200, "fixed")
                        .start();
                PolicyClient client = version.connect(balancer)) {
            client.post("/a", "");
            balancer.await("the request has ended", () -> times.size() == 1);
            client.post("/fixed", "");
            balancer.await("the request has ended", () -> times.size() == 2);

            assertThat(times.get(0)).isNotNegative();
            assertThat(times.get(1)).isEqualTo(PolicyExchange.NO_RESPONSE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pendingRequestContinuesWithItsBody(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(backend, asynchronous.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "bo");
            balancer.await("the policy is called", () -> pending.getNumberOfDependents() > 0);
            client.continueBody("dy");
            balancer.goRound();
            assertThat(backend.connections()).isZero();
            pending.complete(PolicyDecision.PASS);
            PolicyClient.Answer answer = client.read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("body");
            balancer.await("the request has ended", () -> asynchronous.ends().equals(List.of(200)));
            assertThat(client.post("/b", "next").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pendingRequestIsRefused(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, asynchronous.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "body");
            balancer.await("the policy is called", () -> pending.getNumberOfDependents() > 0);
            pending.complete(new Refusal(401, "no_credentials", ""));

            assertThat(client.read().status()).isEqualTo(401);
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void failedPolicyRefusesWith503(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, asynchronous.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "body");
            balancer.await("the policy is called", () -> pending.getNumberOfDependents() > 0);
            pending.completeExceptionally(new IllegalStateException("the authentication service is down"));

            assertThat(client.read().status()).isEqualTo(503);
            assertThat(balancer.count(Failure.POLICY_FAILED)).isOne();
            assertThat(asynchronous.count(PolicyCounter.FAILED)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void continuationDecidesOnTheEventLoop(PolicyVersion version) throws Exception {
        CompletableFuture<Continuation> work = new CompletableFuture<>();
        TestPolicy verifying = new TestPolicy("verifying", Phase.IDENTITY, exchange -> new PendingDecision(work));
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(backend, verifying.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/a", "bo");
            client.continueBody("dy");
            balancer.await("the policy is called", () -> work.getNumberOfDependents() > 0);
            work.complete((exchange, step) -> {
                exchange.requestLines().appendAscii("X-User: alice\r\n");
                return exchange.request().pathStart() > 0 ? PolicyDecision.PASS : LIMITED;
            });

            assertThat(client.read().status()).isEqualTo(200);
            assertThat(backend.nextRequest()).contains("X-User: alice\r\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void exceptionOfPolicyRefusesWith503(PolicyVersion version) throws Exception {
        TestPolicy broken = new TestPolicy("broken", Phase.IDENTITY, exchange -> {
            throw new IllegalStateException("a fault");
        });
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, broken.named()).start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/a", "").status()).isEqualTo(503);
            assertThat(broken.count(PolicyCounter.FAILED)).isOne();
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectCancelsPendingDecision(PolicyVersion version) throws Exception {
        TestPolicy first = new TestPolicy("first", Phase.ADDRESS, exchange -> PolicyDecision.PASS);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        before(backend, first.named(), asynchronous.named()).start()) {
            try (PolicyClient client = version.connect(balancer)) {
                client.begin("/a", "");
                balancer.await("the policy is called", () -> pending.getNumberOfDependents() > 0);
            }
            balancer.await("the decision is cancelled", pending::isCancelled);
            balancer.await("the request has ended", () -> first.ends().size() == 1);
            assertThat(asynchronous.ends()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void policyHeadersReplaceThoseOfClientAndBackend(PolicyVersion version) throws Exception {
        TestPolicy identity = new TestPolicy("identity", Phase.IDENTITY, exchange -> {
                    exchange.requestLines().appendAscii("X-User: alice\r\n");
                    exchange.responseLines().appendAscii("X-Policy: ours\r\n");
                    return PolicyDecision.PASS;
                })
                .setting(List.of("X-User", "X-Group"), List.of("X-Policy"));
        String response = "HTTP/1.1 200 OK\r\nX-Policy: forged\r\nContent-Length: 2\r\n\r\nok";
        try (TestBackend backend = TestBackend.playing(Script.answer(response));
                TestBalancer balancer = before(backend, identity.named()).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post(
                    "/a", "", "x-user", "mallory", "x_user", "mallory", "x-group", "admin", "x_group", "admin");

            assertThat(backend.nextRequest())
                    .contains("X-User: alice\r\n")
                    .doesNotContainIgnoringCase("mallory")
                    .doesNotContain("admin");
            assertThat(answer.headers("x-policy")).containsExactly("ours");
        }
    }

    @ParameterizedTest
    @EnumSource
    void credentialsReachBackendOnlyWithDryRun(PolicyVersion version) throws Exception {
        TestPolicy keys = new TestPolicy("keys", Phase.IDENTITY, exchange -> PolicyDecision.PASS)
                .hiding(List.of("X-Key"))
                .setting(List.of("X-User"), List.of());
        for (NamedPolicy policy : List.of(keys.named(), keys.dryRun())) {
            try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                    TestBalancer balancer = before(backend, policy).start();
                    PolicyClient client = version.connect(balancer)) {
                client.post("/a", "", "x-key", "s3cret", "x-user", "mallory");

                String request = backend.nextRequest();
                assertThat(request.contains("s3cret")).isEqualTo(policy.dryRun());
                assertThat(request).doesNotContain("mallory");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void linesOfOneRequestAreNotInTheNext(PolicyVersion version) throws Exception {
        AtomicReference<String> next = new AtomicReference<>("X-Number: 1\r\n");
        TestPolicy numbering = new TestPolicy("numbering", Phase.IDENTITY, exchange -> {
            exchange.requestLines().appendAscii(next.getAndSet(""));
            return PolicyDecision.PASS;
        });
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, numbering.named()).start();
                PolicyClient client = version.connect(balancer)) {
            client.post("/a", "");
            client.post("/b", "");

            assertThat(backend.nextRequest()).contains("X-Number: 1\r\n");
            assertThat(backend.nextRequest()).doesNotContain("X-Number");
        }
    }

    @ParameterizedTest
    @EnumSource
    void policiesAreEvaluatedInOrderOfPhases(PolicyVersion version) throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        List<NamedPolicy> all = new ArrayList<>();
        for (Phase phase : List.of(Phase.FILTER, Phase.IDENTITY, Phase.CLIENT_LIMIT, Phase.ADDRESS)) {
            all.add(new TestPolicy(phase.name(), phase, exchange -> {
                        order.add(phase.name());
                        return PolicyDecision.PASS;
                    })
                    .named());
        }
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        before(backend, all.toArray(NamedPolicy[]::new)).start();
                PolicyClient client = version.connect(balancer)) {
            client.post("/a", "");

            assertThat(order).containsExactly("ADDRESS", "CLIENT_LIMIT", "IDENTITY", "FILTER");
        }
    }

    @ParameterizedTest
    @EnumSource
    void policiesApplyToRequestsWithoutRoute(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, limit.named())
                        .respond("/fixed", 200, "fixed")
                        .withoutDefaultRoute()
                        .start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/nowhere", "").status()).isEqualTo(429);
            assertThat(client.post("/fixed", "").status()).isEqualTo(429);
        }
    }

    @Test
    void pipelinedRequestsWaitForDecision() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = before(backend, asynchronous.named()).start();
                RawClient client = balancer.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n");
            balancer.await("the policy is called", () -> pending.getNumberOfDependents() > 0);
            pending.complete(PolicyDecision.PASS);

            assertThat(client.read().body()).startsWith("GET /a ");
            assertThat(client.read().body()).startsWith("GET /b ");
        }
    }

    @Test
    void refusalMayCloseTheConnection() throws Exception {
        TestPolicy closing = new TestPolicy(
                "closing", Phase.ADDRESS, exchange -> new Refusal(403, "address_denied", "", /* closes= */ true));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, closing.named()).start();
                RawClient client = balancer.client()) {
            RawResponse response =
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read();

            assertThat(response.status()).isEqualTo(403);
            assertThat(response.header("Connection")).isEqualTo("close");
            client.readToEnd();
        }
    }

    @Test
    void pendingDecisionBlocksNoOtherRequest() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, asynchronous.named()).start();
                RawClient waiting = balancer.client()) {
            waiting.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
            balancer.await("the policy is called", () -> pending.getNumberOfDependents() > 0);
            assertThat(pending.isDone()).isFalse();
            balancer.goRound(); // every event loop runs its tasks
            CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS)
                    .execute(() -> pending.complete(PolicyDecision.PASS));
            assertThat(waiting.read().body()).isEqualTo("hello");
        }
    }
}
