package io.ballast.policy.combination;

import static io.ballast.policy.testing.TestPolicies.named;
import static io.ballast.policy.testing.TestPolicies.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.Identity;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyClient.Answer;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.policy.Refusal;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.policy.config.CombinationConfig.Mode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests combinations of policies, each of which decides at once or later. */
class CombinationPolicyTest {

    private final AtomicReference<String> identity = new AtomicReference<>();
    private final TestPolicy observer = new TestPolicy("observer", Phase.FILTER, exchange -> {
        identity.set(exchange.identity().name());
        return PolicyDecision.PASS;
    });

    /** Returns a policy without counters and marks. */
    private static Policy policy(Continuation rule) {
        return new Policy() {
            @Override
            public Phase phase() {
                return Phase.IDENTITY;
            }

            @Override
            public PolicyDecision evaluate(PolicyExchange exchange, int step) {
                return rule.decide(exchange, step);
            }

            @Override
            public List<String> requestHeaders() {
                return List.of("X-User");
            }
        };
    }

    private static Policy passing(String name) {
        return policy((exchange, step) -> {
            exchange.requestLines().appendAscii("X-User: " + name + "\r\n");
            exchange.setIdentity(new Identity(name));
            return PolicyDecision.PASS;
        });
    }

    /** Returns a policy that adds a header and an identity, and then refuses the request. */
    private static Policy refusing(int status) {
        return policy((exchange, step) -> {
            exchange.requestLines().appendAscii("X-User: mallory\r\n");
            exchange.responseLines().appendAscii("WWW-Authenticate: Scheme" + status + "\r\n");
            exchange.setIdentity(new Identity("mallory"));
            return new Refusal(status, "refused", "");
        });
    }

    /** Returns a policy that decides on the event loop after another thread has completed a future. */
    private static Policy later(Policy policy) {
        return policy((exchange, step) ->
                new PendingDecision(CompletableFuture.<Continuation>supplyAsync(() -> policy::evaluate)));
    }

    private static Policy failing() {
        return policy((exchange, step) -> new PendingDecision(
                CompletableFuture.<Continuation>failedFuture(new IllegalStateException("the service is down"))));
    }

    private TestBalancer combining(TestBackend backend, Mode mode, Policy... members) throws Exception {
        return start(backend, named(new CombinationPolicy(mode, List.of(members))), observer.named());
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1, false", "HTTP_1, true", "HTTP_2, false", "HTTP_2, true"})
    void firstPolicyThatPassesDecides(PolicyVersion version, boolean pending) throws Exception {
        Policy refusing = pending ? later(refusing(401)) : refusing(401);
        Policy passing = pending ? later(passing("alice")) : passing("alice");
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = combining(backend, Mode.ANY, refusing, passing, refusing(403));
                PolicyClient client = version.connect(balancer)) {
            Answer answer = client.post("/", "body", "x_user", "forged");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers("www-authenticate")).isEmpty();
            assertThat(backend.nextRequest())
                    .contains("X-User: alice\r\n")
                    .doesNotContain("mallory")
                    .doesNotContain("forged");
            assertThat(identity).hasValue("alice");
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1, false", "HTTP_1, true", "HTTP_2, false", "HTTP_2, true"})
    void lastPolicyAnswersIfNonePasses(PolicyVersion version, boolean pending) throws Exception {
        Policy last = pending ? later(refusing(401)) : refusing(401);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = combining(backend, Mode.ANY, refusing(403), failing(), last);
                PolicyClient client = version.connect(balancer)) {
            Answer answer = client.post("/", "");

            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.headers("www-authenticate")).containsExactly("Scheme401");
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1, false", "HTTP_1, true", "HTTP_2, false", "HTTP_2, true"})
    void allPoliciesMustPass(PolicyVersion version, boolean pending) throws Exception {
        Policy first = pending ? later(passing("alice")) : passing("alice");
        Policy refusing = pending ? later(refusing(403)) : refusing(403);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer passes = combining(backend, Mode.ALL, first, passing("bob"));
                TestBalancer refuses = combining(backend, Mode.ALL, first, refusing, refusing(401))) {
            try (PolicyClient client = version.connect(refuses)) {
                assertThat(client.post("/", "").status()).isEqualTo(403);
            }
            assertThat(backend.connections()).isZero();
            try (PolicyClient client = version.connect(passes)) {
                assertThat(client.post("/", "").status()).isEqualTo(200);
            }
            assertThat(identity).hasValue("bob");
        }
    }

    @ParameterizedTest
    @EnumSource
    void combinationsCanBeNested(PolicyVersion version) throws Exception {
        Policy inner = new CombinationPolicy(Mode.ALL, List.of(later(passing("a")), later(refusing(403))));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = combining(backend, Mode.ANY, inner, later(passing("alice")));
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/", "").status()).isEqualTo(200);
            assertThat(backend.nextRequest()).containsOnlyOnce("X-User: alice\r\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void failureOfTheLastPolicyIsAnsweredWith503(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = combining(backend, Mode.ANY, refusing(401), failing());
                PolicyClient client = version.connect(balancer)) {
            Answer answer = client.post("/", "");

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.headers("www-authenticate")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectCancelsThePendingPolicy(PolicyVersion version) throws Exception {
        CompletableFuture<Continuation> pending = new CompletableFuture<>();
        Policy waiting = policy((exchange, step) -> new PendingDecision(pending));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = combining(backend, Mode.ANY, refusing(401), waiting)) {
            try (PolicyClient client = version.connect(balancer)) {
                client.begin("/", "");
                balancer.await("the policy is called", () -> pending.getNumberOfDependents() > 0);
            }
            balancer.await("the decision is cancelled", pending::isCancelled);
        }
    }
}
