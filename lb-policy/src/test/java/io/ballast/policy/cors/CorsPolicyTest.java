package io.ballast.policy.cors;

import static io.ballast.policy.testing.HttpRequests.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.Refusal;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.CorsConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CorsPolicyTest {

    private static final String APP = "https://app.example";
    private static final CorsConfig SIMPLE = CorsConfig.of(List.of(APP, "https://*.wild.example"));
    private static final CorsConfig ANY = CorsConfig.of(List.of("*"));
    private static final CorsConfig FULL = new CorsConfig(
            List.of(APP),
            List.of("GET", "PUT"),
            List.of("Authorization", "X-Key"),
            List.of("ETag", "X-Total"),
            /* credentials= */ true,
            Optional.of(Duration.ofMinutes(10)));
    private static final Script WITH_ITS_OWN = Script.answer(String.join(
            "\r\n",
            "HTTP/1.1 200 OK",
            "Access-Control-Allow-Origin: *",
            "access-control-allow-credentials: true",
            "Access-Control-Expose-Headers: *",
            "Access-Control-Max-Age: 9",
            "Vary: Accept",
            "Content-Length: 2",
            "",
            "ok"));

    private static NamedPolicy policy(CorsConfig config) {
        return named(config.kind(), new CorsPolicy(config));
    }

    private static TestBalancer start(TestBackend backend, NamedPolicy... policies) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(policies)
                .start();
    }

    private static Answer preflight(HttpRequests http, TestBalancer balancer, String origin) {
        return http.send(
                balancer,
                "OPTIONS",
                "/a",
                "Origin",
                origin,
                "Access-Control-Request-Method",
                "PUT",
                "Access-Control-Request-Headers",
                "x-key");
    }

    private static List<String> corsLines(Answer answer) {
        return answer.head().stream()
                .filter(line -> line.regionMatches(/* ignoreCase= */ true, 0, "access-control-", 0, 15))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void preflightIsAnsweredBeforeAuthentication(HttpRequests http) throws Exception {
        NamedPolicy login =
                new TestPolicy("login", Phase.IDENTITY, exchange -> new Refusal(401, "no_credentials", "")).named();
        NamedPolicy cors = policy(FULL);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, login, cors)) {
            Answer answer = preflight(http, balancer, APP);

            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.headers("Access-Control-Allow-Origin")).containsExactly(APP);
            assertThat(answer.headers("Access-Control-Allow-Methods")).containsExactly("GET, PUT");
            assertThat(answer.headers("Access-Control-Allow-Headers")).containsExactly("Authorization, X-Key");
            assertThat(answer.headers("Access-Control-Allow-Credentials")).containsExactly("true");
            assertThat(answer.headers("Access-Control-Max-Age")).containsExactly("600");
            assertThat(answer.headers("Vary")).containsExactly("Origin");
            assertThat(answer.headers("Access-Control-Expose-Headers")).isEmpty();
            assertThat(backend.connections()).isZero();
            assertThat(cors.counters().sum(PolicyCounter.ANSWERED)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void preflightOfOtherOriginHasNoCorsHeaders(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy(SIMPLE))) {
            for (String origin : List.of("https://evil.example", "null", "https://APP.example", "*")) {
                Answer answer = preflight(http, balancer, origin);

                assertThat(answer.status()).as(origin).isEqualTo(204);
                assertThat(corsLines(answer)).as(origin).isEmpty();
                assertThat(answer.headers("Vary")).containsExactly("Origin");
            }
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void responseHasOnlyTheHeadersOfThePolicy(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(WITH_ITS_OWN);
                TestBalancer balancer = start(backend, policy(FULL))) {
            Answer allowed = http.get(balancer, "/", "Origin", APP);

            assertThat(allowed.headers("Access-Control-Allow-Origin")).containsExactly(APP);
            assertThat(allowed.headers("Access-Control-Allow-Credentials")).containsExactly("true");
            assertThat(allowed.headers("Access-Control-Expose-Headers")).containsExactly("ETag, X-Total");
            assertThat(corsLines(allowed)).hasSize(3);
            assertThat(allowed.headers("Vary")).containsExactly("Accept", "Origin");
            for (Answer other : List.of(
                    http.get(balancer, "/"),
                    http.get(balancer, "/", "Origin", "null"),
                    http.get(balancer, "/", "Origin", "https://evil.example"),
                    http.get(balancer, "/", "Origin", APP, "Origin", "https://evil.example"),
                    http.get(balancer, "/", "Origin", APP, "Origin", APP),
                    http.get(balancer, "/", "Origin", APP + ", " + APP))) {
                assertThat(corsLines(other)).isEmpty();
                assertThat(other.headers("Vary")).containsExactly("Accept", "Origin");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void subdomainGetsItsOwnOrigin(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy(SIMPLE))) {
            String origin = "https://a.wild.example";

            assertThat(http.get(balancer, "/", "Origin", origin).headers("Access-Control-Allow-Origin"))
                    .containsExactly(origin);
            assertThat(corsLines(http.get(balancer, "/", "Origin", "https://wild.example")))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOriginGetsTheSameResponse(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(WITH_ITS_OWN);
                TestBalancer balancer = start(backend, policy(ANY))) {
            for (Answer answer : List.of(
                    http.get(balancer, "/"),
                    http.get(balancer, "/", "Origin", "null"),
                    http.get(balancer, "/", "Origin", "https://anyone.example"))) {
                assertThat(answer.headers("Access-Control-Allow-Origin")).containsExactly("*");
                assertThat(corsLines(answer)).hasSize(1);
                assertThat(answer.headers("Vary")).containsExactly("Accept");
            }
            Answer preflight = preflight(http, balancer, "https://anyone.example");
            assertThat(preflight.headers("Access-Control-Allow-Origin")).containsExactly("*");
            assertThat(preflight.headers("Access-Control-Allow-Methods")).containsExactly("GET, HEAD, POST");
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherOptionsRequestsReachTheBackend(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy(SIMPLE))) {
            assertThat(http.send(balancer, "OPTIONS", "/a", "Origin", APP).body())
                    .isEqualTo("hello");
            assertThat(http.send(balancer, "OPTIONS", "/b", "Access-Control-Request-Method", "PUT")
                            .body())
                    .isEqualTo("hello");
            assertThat(http.get(balancer, "/c", "Origin", APP, "Access-Control-Request-Method", "PUT")
                            .body())
                    .isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusalsHaveTheHeaders(HttpRequests http) throws Exception {
        NamedPolicy login =
                new TestPolicy("login", Phase.IDENTITY, exchange -> new Refusal(401, "no_credentials", "")).named();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, login, policy(SIMPLE))) {
            Answer refused = http.get(balancer, "/", "Origin", APP);

            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.headers("Access-Control-Allow-Origin")).containsExactly(APP);
            assertThat(refused.headers("Vary")).containsExactly("Origin");
        }
    }

    @ParameterizedTest
    @EnumSource
    void dryRunKeepsTheHeadersOfTheBackend(HttpRequests http) throws Exception {
        NamedPolicy dry = new NamedPolicy(
                "cors", "cors", new CorsPolicy(FULL), /* dryRun= */ true, new Counters<>(PolicyCounter.class, 2));
        try (TestBackend backend = TestBackend.playing(WITH_ITS_OWN);
                TestBalancer balancer = start(backend, dry)) {
            Answer answer = http.get(balancer, "/", "Origin", APP);

            assertThat(answer.headers("Access-Control-Allow-Origin")).containsExactly("*");
            assertThat(corsLines(answer)).hasSize(4);
            assertThat(preflight(http, balancer, APP).status()).isEqualTo(200);
        }
    }
}
