package io.ballast.policy.oidc;

import static io.ballast.policy.oidc.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.combination.CombinationPolicy;
import io.ballast.policy.config.CombinationConfig.Mode;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests logins together with other policies. */
class OidcCombinationTest {

    private static final byte[] TOKEN = "x-token".getBytes(StandardCharsets.US_ASCII);

    /** Lets requests with a token pass. */
    private static final class TokenPolicy implements Policy {
        @Override
        public Phase phase() {
            return Phase.IDENTITY;
        }

        @Override
        public PolicyDecision evaluate(PolicyExchange exchange, int step) {
            return exchange.request().headerLine(TOKEN, 0) >= 0
                    ? PolicyDecision.PASS
                    : new Refusal(401, "token", "no token");
        }
    }

    /** Records the claims of requests that a later policy can read. */
    private static final class ClaimReader implements Policy {
        private final AtomicReference<Map<String, String>> claims = new AtomicReference<>(Map.of());

        @Override
        public Phase phase() {
            return Phase.IDENTITY_LIMIT;
        }

        @Override
        public PolicyDecision evaluate(PolicyExchange exchange, int step) {
            claims.set(exchange.identity().claims());
            return PolicyDecision.PASS;
        }
    }

    private static TestBalancer start(TestBackend backend, Policy... policies) throws Exception {
        BalancerSetup setup = BalancerSetup.on(TransportKind.NIO).backend(backend);
        return policies.length == 1
                ? setup.policies(HttpRequests.named("first", policies[0])).start()
                : setup.policies(HttpRequests.named("first", policies[0]), HttpRequests.named("second", policies[1]))
                        .start();
    }

    @ParameterizedTest
    @EnumSource
    void loginIsTheLastOfSeveralWays(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(
                        backend,
                        new CombinationPolicy(Mode.ANY, List.of(new TokenPolicy(), setup.create(setup.config))))) {
            TestBrowser browser = new TestBrowser(version, balancer);
            Answer byToken = browser.open("/", "X-Token", "1");
            assertThat(byToken.status()).isEqualTo(200);
            assertThat(byToken.headers("Set-Cookie")).isEmpty();

            assertThat(location(browser.logIn(setup.provider, "/a"))).isEqualTo("http://a/a");
            assertThat(browser.open("/a").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void loginAndTokenAreBothRequired(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(
                        backend,
                        new CombinationPolicy(Mode.ALL, List.of(setup.create(setup.config), new TokenPolicy())))) {
            TestBrowser browser = new TestBrowser(version, balancer);
            browser.logIn(setup.provider, "/a");

            assertThat(browser.open("/a").status()).isEqualTo(401);
            assertThat(browser.open("/a", "X-Token", "1").status()).isEqualTo(200);
            assertThat(new TestBrowser(version, balancer)
                            .open("/a", "X-Token", "1")
                            .status())
                    .isEqualTo(302);
        }
    }

    @ParameterizedTest
    @EnumSource
    void laterPoliciesSeeTheClaims(HttpRequests version) throws Exception {
        ClaimReader reader = new ClaimReader();
        try (OidcSetup setup = OidcSetup.start();
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, setup.create(setup.config), reader)) {
            setup.provider.userClaims = Map.of("sub", "ann", "email", "ann@id.example", "tenant", "blue");
            TestBrowser browser = new TestBrowser(version, balancer);
            browser.logIn(setup.provider, "/");
            browser.open("/");

            assertThat(reader.claims.get())
                    .containsEntry("tenant", "blue")
                    .containsEntry("email", "ann@id.example")
                    .doesNotContainKeys("nonce", "at_hash", "iss");
        }
    }
}
