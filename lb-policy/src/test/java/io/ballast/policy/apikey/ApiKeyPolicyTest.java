package io.ballast.policy.apikey;

import static io.ballast.policy.testing.TestPolicies.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyClient.Answer;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.ApiKey;
import io.ballast.policy.config.ApiKeysConfig;
import io.ballast.policy.config.ApiKeysConfig.Source;
import io.ballast.policy.config.ApiKeysConfig.Source.Place;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ApiKeyPolicyTest {

    /** The hash of "abc", from FIPS 180-2 appendix B.1. */
    private static final ApiKey ACME =
            new ApiKey("acme", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    /** The hash of "test", as sha256sum prints it. */
    private static final ApiKey OTHER =
            new ApiKey("other", "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08");

    private static final Source QUERY = new Source(Place.QUERY, "api_key");

    private static ApiKeyPolicy policy(Source source, boolean forward) {
        return new ApiKeyPolicy(
                new ApiKeysConfig(List.of(ACME, OTHER), Optional.empty(), source, Optional.of("X-Consumer"), forward));
    }

    @ParameterizedTest
    @EnumSource
    void knownKeyPassesAndItsConsumerIsTold(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy(ApiKeysConfig.DEFAULT_SOURCE, /* forward= */ false));
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/", "body", "x-api-key", "abc").status()).isEqualTo(200);
            assertThat(backend.nextRequest()).contains("X-Consumer: acme\r\n").doesNotContainIgnoringCase("x-api-key");

            assertThat(client.post("/", "", "x-api-key", "test").status()).isEqualTo(200);
            assertThat(backend.nextRequest()).contains("X-Consumer: other\r\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherRequestsAreRefused(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy(ApiKeysConfig.DEFAULT_SOURCE, /* forward= */ false));
                PolicyClient client = version.connect(balancer)) {
            for (Answer answer : List.of(
                    client.post("/", ""),
                    client.post("/", "", "x-api-key", ""),
                    client.post("/", "", "x-api-key", "abcd"),
                    client.post("/", "", "x-api-key", ACME.hash()),
                    client.post("/", "", "x-api-key", "abc", "x-api-key", "abc"),
                    client.post("/?x-api-key=abc", "", "x_api_key", "abc"))) {
                assertThat(answer.status()).isEqualTo(401);
                assertThat(answer.headers("www-authenticate")).containsExactly("Key");
            }
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientCannotForgeTheConsumer(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy(ApiKeysConfig.DEFAULT_SOURCE, /* forward= */ false));
                PolicyClient client = version.connect(balancer)) {
            client.post("/", "", "x-consumer", "root", "x_consumer", "root", "x-api-key", "abc", "x_api_key", "root");

            assertThat(backend.nextRequest()).contains("X-Consumer: acme\r\n").doesNotContain("root");
        }
    }

    @Test
    void keyIsForwardedOnlyIfConfigured() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy(ApiKeysConfig.DEFAULT_SOURCE, /* forward= */ true));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            client.post("/", "", "X-API-Key", "abc");

            assertThat(backend.nextRequest()).contains("X-API-Key: abc\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/?api_key=abc, 200",
        "/a?b=c&api_key=abc&d, 200",
        "/?api_key=%61b%63, 200",
        "/?%61pi%5Fkey=abc, 200",
        "/?a=b&api%5fkey=abc, 200",
        "/?api_key=abc&%61pi_key=abc, 401",
        "/?%61pi_key=abc&api_key=abc, 401",
        "/?api%5key=abc, 401",
        "/?api_key%3Dabc, 401",
        "/?%61pi_ke, 401",
        "/?api_key=, 401",
        "/?api_key=abcd, 401",
        "/?xapi_key=abc, 401",
        "/?api_key=abc&api_key=abc, 401",
        "/?api_key=ab%6, 401",
        "/?api_key=ab%zz, 401",
        "/api_key=abc, 401",
        "/?, 401",
    })
    void readsQueryParameter(String path, int status) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy(QUERY, /* forward= */ false));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            assertThat(client.post(path, "").status()).isEqualTo(status);
            assertThat(client.post(path, "").status()).isEqualTo(status); // the first key is not used again
        }
    }

    @Test
    void findsEachOfManyKeys() {
        List<ApiKey> keys = IntStream.range(0, 1000)
                .mapToObj(i -> new ApiKey("consumer" + i, "%064x".formatted(i)))
                .toList();
        KeyTable table = new KeyTable(keys, Optional.empty());

        assertThat(keys)
                .allSatisfy(key -> assertThat(table.find(key.hashBytes())).isNotNull());
        assertThat(table.find(ACME.hashBytes())).isNull();
    }
}
