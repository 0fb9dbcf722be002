package io.ballast.policy.cache;

import static io.ballast.policy.cache.CacheSetup.FRESH;
import static io.ballast.policy.cache.CacheSetup.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.CorsConfig;
import io.ballast.policy.cors.CorsPolicy;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import io.ballast.policy.testing.TestPolicies;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests attacks: a client tries to get the responses of other clients, to make them get its own response, or to use
 * much memory.
 */
class CacheAttackTest {

    private final CacheSetup setup = new CacheSetup();
    private final CountDownLatch latch = new CountDownLatch(1);

    @AfterEach
    void close() {
        setup.close();
    }

    /** Responds with the language that the request asks for. */
    private static Script byLanguage() {
        return connection -> {
            boolean isGerman = connection.readRequest().contains("Accept-Language: de");
            connection.send(CacheSetup.response(isGerman ? "deutsch" : "english", FRESH, "Vary: Accept-Language"));
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Accept-Language",
                "accept-language",
                "close, Accept-Language",
                "keep-alive,,Accept-Language",
                "\"close\", Accept-Language"
            })
    void aHeaderThatTheBackendDoesNotGetSelectsNothing(String connection) throws Exception {
        try (TestBackend backend = TestBackend.playing(byLanguage());
                TestBalancer balancer = TestPolicies.start(backend, setup.cache())) {
            HttpRequests http = HttpRequests.HTTP_1;

            CacheSetup.get(http, balancer, "/a", "Accept-Language", "de", "Connection", connection);

            assertThat(CacheSetup.get(http, balancer, "/a", "Accept-Language", "de")
                            .body())
                    .isEqualTo("deutsch");
        }
    }

    @Test
    void ordinaryConnectionOptionsUseTheCache() throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH), ok("2", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, setup.cache())) {
            for (String option : new String[] {"keep-alive", "Keep-Alive", "close", "TE", "keep-alive, TE"}) {
                assertThat(CacheSetup.get(HttpRequests.HTTP_1, balancer, "/a", "Connection", option)
                                .body())
                        .as(option)
                        .isEqualTo("1");
            }
        }
    }

    private static TestBalancer withAddressRule(TestBackend backend, CachePolicy cache) throws Exception {
        NamedPolicy policy = TestPolicies.named(cache);
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .headers(TestHeaderRules.request("X-Real-Ip", "$remote_addr"))
                .policies(policy)
                .start();
    }

    /** The header lines of two clients can be equal although the backend receives a different value from each. */
    @ParameterizedTest
    @ValueSource(strings = {"X-Real-IP", "x_real_ip", "X-Forwarded-For", "Accept, Forwarded"})
    void aResponseThatVariesWithTheClientIsNotStored(String vary) throws Exception {
        for (HttpRequests http : HttpRequests.values()) {
            try (TestBackend backend = TestBackend.playing(ok("1", FRESH, "Vary: " + vary), ok("2", FRESH));
                    TestBalancer balancer = withAddressRule(backend, setup.cache())) {
                CacheSetup.get(http, balancer, "/a");

                assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("2");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRevalidatedResponseThatVariesWithTheClientIsNotStored(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        ok("1", FRESH, "ETag: \"1\""), ok("2", FRESH, "Vary: X-Real-IP"), ok("3", FRESH));
                TestBalancer balancer = withAddressRule(backend, setup.cache())) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(100);

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("2");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("3");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aResponseThatVariesWithTheSchemeIsStored(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH, "Vary: X-Forwarded-Proto"), ok("2", FRESH));
                TestBalancer balancer = withAddressRule(backend, setup.cache())) {
            CacheSetup.get(http, balancer, "/a");

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theHeadersThatSelectAResponseCountAsMemory(HttpRequests http) throws Exception {
        CachePolicy cache = setup.cache();
        int length = 3000;
        int urls = 50;
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH, "Vary: X-Long"));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            for (int i = 0; i < urls; i++) {
                CacheSetup.get(http, balancer, "/" + i, "X-Long", "x".repeat(length));
            }

            assertThat(cache.store().responses()).isEqualTo(urls);
            assertThat(cache.store().usedBytes()).isGreaterThan((long) urls * length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void laterRequestsDoNotDependOnAStalledFetch(HttpRequests http) throws Exception {
        int sent = 1000;
        String body = "x".repeat(CachePolicy.SHARED_BYTES + sent);
        Script stalling = connection -> {
            connection.readRequest();
            String response = CacheSetup.response(body, FRESH);
            int end = response.length() - body.length() + sent;
            connection.send(response.substring(0, end));
            connection.await(latch).send(response.substring(end));
        };
        Duration maxWait = Duration.ofSeconds(5);
        CachePolicy cache = setup.cache(maxWait, /* maxWaiting= */ 100);
        try (TestBackend backend = TestBackend.playing(stalling, ok(body, FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache);
                ReadingClient leader = ReadingClient.start(http, balancer)) {
            leader.read(sent);
            try (ReadingClient follower = ReadingClient.start(http, balancer)) {
                follower.read(sent);
                setup.advance((int) (2 * maxWait.toSeconds() + 1));

                assertThat(CacheSetup.get(http, balancer, "/a").body()).hasSameSizeAs(body);

                latch.countDown();
                follower.readRest();
            }
            leader.readRest();
            assertThat(backend.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStoredResponseHasTheOriginOfEachClient(HttpRequests http) throws Exception {
        CorsConfig cors = CorsConfig.of(List.of("https://a.example", "https://b.example"));
        String own = "Access-Control-Allow-Origin: https://evil.example";
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH, own, "Access-Control-Allow-Credentials: true"));
                TestBalancer balancer = TestPolicies.start(
                        backend,
                        HttpRequests.named("cors", new CorsPolicy(cors)),
                        HttpRequests.named("cache", setup.cache()))) {
            for (String origin : List.of("https://a.example", "https://b.example", "https://evil.example", "null")) {
                Answer answer = CacheSetup.get(http, balancer, "/a", "Origin", origin);

                boolean isAllowed = origin.matches("https://[ab].example");
                assertThat(answer.headers("Access-Control-Allow-Origin"))
                        .isEqualTo(isAllowed ? List.of(origin) : List.of());
                assertThat(answer.headers("Access-Control-Allow-Credentials")).isEmpty();
                assertThat(answer.headers("Vary")).containsExactly("Origin");
            }
            assertThat(backend.requests()).hasSize(1);
        }
    }
}
