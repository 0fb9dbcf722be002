package io.ballast.policy.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.CircuitBreakerConfig.Slow;
import io.ballast.core.config.MaintenancePage;
import io.ballast.core.config.PageBody;
import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.CircuitBreakerRule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests circuit breakers with real requests of both HTTP versions. */
class CircuitBreakerPolicyTest {

    private static final String FAILED = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n";

    private final List<String> events = new CopyOnWriteArrayList<>();

    private static CircuitBreakerConfig config(Optional<String> fallback, Optional<MaintenancePage> page) {
        return config(Optional.empty(), fallback, page);
    }

    private static CircuitBreakerConfig config(
            Optional<Slow> slow, Optional<String> fallback, Optional<MaintenancePage> page) {
        return new CircuitBreakerConfig(
                50, Duration.ofMinutes(10), 2, slow, Duration.ofHours(1), Duration.ofHours(1), 1, fallback, page);
    }

    private BalancerSetup setup(TestBackend backend, CircuitBreakerConfig config) {
        CircuitBreakerPolicy policy = new CircuitBreakerPolicy(
                new CircuitBreakerRule("web", config),
                (subject, isProblem, text) -> events.add(subject + " " + isProblem + " " + text),
                System.nanoTime());
        NamedPolicy named = new NamedPolicy(
                "pool:web/circuit_breaker",
                "circuit_breaker",
                policy,
                /* dryRun= */ false,
                new Counters<>(PolicyCounter.class, 2));
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .circuitBreaker(config)
                .policies(named);
    }

    /** Sends requests that fail, and waits until the circuit breaker is open. */
    private void open(TestBalancer balancer, PolicyClient client) {
        client.post("/first", "");
        client.post("/second", "");
        balancer.await("the circuit breaker is open", () -> !events.isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void openCircuitBreakerRefusesWith503(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(FAILED));
                TestBalancer balancer = setup(backend, config(Optional.empty(), Optional.empty()))
                        .start();
                PolicyClient client = version.connect(balancer)) {
            open(balancer, client);
            PolicyClient.Answer refused = client.post("/third", "body");

            assertThat(refused.status()).isEqualTo(503);
            assertThat(Integer.parseInt(refused.headers("retry-after").get(0))).isBetween(1, 3600);
            assertThat(backend.requests()).hasSize(2);
            assertThat(events)
                    .containsExactly("web true circuit breaker open for 1h: 2 of 2 requests failed within 10m");
        }
    }

    @ParameterizedTest
    @EnumSource
    void brokenConnectionsAreFailures(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answerAndReset(""));
                TestBalancer balancer = setup(backend, config(Optional.empty(), Optional.empty()))
                        .start();
                PolicyClient client = version.connect(balancer)) {
            open(balancer, client);
            assertThat(client.post("/third", "").status()).isEqualTo(503);
            assertThat(backend.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void slowResponsesOpenIt(PolicyVersion version) throws Exception {
        Slow always = new Slow(100, Duration.ofNanos(1));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup(backend, config(Optional.of(always), Optional.empty(), Optional.empty()))
                        .start();
                PolicyClient client = version.connect(balancer)) {
            open(balancer, client);
            assertThat(client.post("/third", "").status()).isEqualTo(503);
            assertThat(backend.requests()).hasSize(2);
            assertThat(events)
                    .containsExactly("web true circuit breaker open for 1h: 2 of 2 requests were slow within 10m");
        }
    }

    @ParameterizedTest
    @EnumSource
    void errorsOfTheClientAreNoFailures(PolicyVersion version) throws Exception {
        String notFound = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(Script.answer(notFound));
                TestBalancer balancer = setup(backend, config(Optional.empty(), Optional.empty()))
                        .start();
                PolicyClient client = version.connect(balancer)) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.post("/", "").status()).isEqualTo(404);
            }
            assertThat(events).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void fallbackPoolGetsTheRequests(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(FAILED));
                TestBackend other = TestBackend.playing(Script.echo());
                TestBalancer balancer = setup(backend, config(Optional.of("other"), Optional.empty()))
                        .pool("other", other)
                        .start();
                PolicyClient client = version.connect(balancer)) {
            open(balancer, client);
            PolicyClient.Answer answer = client.post("/third", "body");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).startsWith("POST /third ").contains("body");
            assertThat(client.post("/fourth", "").body()).startsWith("POST /fourth ");
            assertThat(backend.requests()).hasSize(2);
            assertThat(other.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pageIsTheResponse(PolicyVersion version) throws Exception {
        MaintenancePage page = new MaintenancePage(
                502, "text/plain", new PageBody("later"), Optional.empty(), Optional.of(Duration.ofMinutes(2)));
        try (TestBackend backend = TestBackend.playing(Script.answer(FAILED));
                TestBalancer balancer = setup(backend, config(Optional.empty(), Optional.of(page)))
                        .start();
                PolicyClient client = version.connect(balancer)) {
            open(balancer, client);
            PolicyClient.Answer answer = client.post("/third", "");

            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).isEqualTo("later");
            assertThat(answer.headers("content-type")).containsExactly("text/plain");
            assertThat(answer.headers("retry-after")).containsExactly("120");
        }
    }
}
