package io.ballast.policy.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.config.Forwarding;
import io.ballast.http.policy.KeyUsage;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.LimitKey.Source;
import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig.Ban;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.TestPolicies;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which keys of a rate limit are shown, and how. By default, each key may send two requests. */
class HeaviestRateKeysTest {

    private final AtomicLong nanos = new AtomicLong(-1_000_000_000L);

    private RateLimitPolicy policy(LimitBuilder limit) {
        return new RateLimitPolicy(limit.build(), new SipHash24(1, 2), nanos::get);
    }

    private static TestBalancer start(TestBackend backend, RateLimitPolicy policy) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(TestPolicies.named(policy))
                .forwarding(Forwarding.OVERWRITE)
                .trustedProxies("127.0.0.0/8")
                .start();
    }

    private static void get(HttpRequests http, TestBalancer balancer, int times, String client) {
        for (int i = 0; i < times; i++) {
            http.get(balancer, "/", "X-Forwarded-For", client);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusedKeysComeFirst(HttpRequests http) throws Exception {
        RateLimitPolicy policy = policy(new LimitBuilder());
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy)) {
            assertThat(policy.heaviestKeys(10)).isEmpty();
            get(http, balancer, 1, "192.0.2.1");
            get(http, balancer, 2, "192.0.2.2");
            get(http, balancer, 3, "192.0.2.3");
            get(http, balancer, 5, "2001:db8:0:1::7");

            List<KeyUsage> keys = policy.heaviestKeys(10);
            assertThat(keys)
                    .extracting(KeyUsage::text)
                    .containsExactly(
                            Optional.of("2001:db8:0:1::/64"),
                            Optional.of("192.0.2.3"),
                            Optional.empty(),
                            Optional.empty());
            assertThat(keys).extracting(KeyUsage::refused).containsExactly(3L, 1L, 0L, 0L);
            assertThat(keys).extracting(KeyUsage::used).containsExactly(2L, 2L, 2L, 1L);
            assertThat(keys).extracting(KeyUsage::remaining).containsExactly(0L, 0L, 0L, 1L);
            assertThat(keys).extracting(KeyUsage::id).doesNotHaveDuplicates();
            assertThat(keys).allSatisfy(key -> assertThat(key.banSeconds()).isZero());
            assertThat(policy.heaviestKeys(2)).isEqualTo(keys.subList(0, 2));
        }
    }

    @Test
    void refusalsAreForgottenAfterTenMinutes() throws Exception {
        RateLimitPolicy policy = policy(new LimitBuilder());
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy)) {
            get(HttpRequests.HTTP_1, balancer, 4, "192.0.2.1");
            nanos.addAndGet(Duration.ofMinutes(6).toNanos());
            get(HttpRequests.HTTP_1, balancer, 4, "192.0.2.1");
            assertThat(policy.heaviestKeys(1)).extracting(KeyUsage::refused).containsExactly(6L);

            nanos.addAndGet(Duration.ofMinutes(6).toNanos());
            get(HttpRequests.HTTP_1, balancer, 1, "192.0.2.1");
            assertThat(policy.heaviestKeys(1)).extracting(KeyUsage::refused).containsExactly(5L);

            nanos.addAndGet(Duration.ofMinutes(11).toNanos());
            assertThat(policy.heaviestKeys(1)).singleElement().satisfies(key -> {
                assertThat(key.refused()).isZero();
                assertThat(key.text()).isEmpty();
            });
            nanos.addAndGet(Duration.ofHours(2).toNanos());
            assertThat(policy.heaviestKeys(1)).isEmpty();
        }
    }

    @Test
    void bannedKeyHasItsRemainingTime() throws Exception {
        RateLimitPolicy policy = policy(new LimitBuilder().ban(new Ban(2, Duration.ofMinutes(10))));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy)) {
            get(HttpRequests.HTTP_1, balancer, 6, "192.0.2.1");

            assertThat(policy.heaviestKeys(1)).singleElement().satisfies(key -> {
                assertThat(key.banSeconds()).isEqualTo(600);
                assertThat(key.refused()).isEqualTo(4);
            });
        }
    }

    @Test
    void rateWithFewestRemainingRequestsIsShown() throws Exception {
        RateLimitPolicy policy = policy(new LimitBuilder()
                .rates(new Rate(100, Duration.ofHours(1)), new Rate(5, Duration.ofHours(2), /* burst= */ 3)));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy)) {
            get(HttpRequests.HTTP_1, balancer, 2, "192.0.2.1");

            assertThat(policy.heaviestKeys(1)).singleElement().satisfies(key -> {
                assertThat(key.limit()).isEqualTo(3);
                assertThat(key.used()).isEqualTo(2);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void valuesThatMayBeSecretsAreHashed(HttpRequests http) throws Exception {
        RateLimitPolicy policy = policy(new LimitBuilder()
                .key(
                        MissingKey.CLIENT,
                        new LimitKey(Source.HEADER, "X-Api-Key"),
                        new LimitKey(Source.COOKIE, "session"),
                        new LimitKey(Source.PATH, ""),
                        new LimitKey(Source.CLIENT, "")));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy)) {
            for (int i = 0; i < 3; i++) {
                http.get(balancer, "/login?token=secret1", "X-Api-Key", "secret2", "Cookie", "session=secret3");
            }
            for (int i = 0; i < 4; i++) {
                http.get(balancer, "/" + "a".repeat(200), "X-Api-Key", "secret2");
            }

            List<KeyUsage> keys = policy.heaviestKeys(10);
            assertThat(keys).hasSize(2);
            assertThat(keys.toString()).doesNotContain("secret");
            assertThat(keys.get(0).text().orElseThrow())
                    .as("the client replaces the missing cookie")
                    .matches("header X-Api-Key #[0-9a-f]{8}, 127.0.0.1, path /a{99}\\[...], 127.0.0.1");
            assertThat(keys.get(1).text().orElseThrow())
                    .matches("header X-Api-Key #[0-9a-f]{8}, cookie session #[0-9a-f]{8}, path /login, 127.0.0.1");
        }
    }
}
