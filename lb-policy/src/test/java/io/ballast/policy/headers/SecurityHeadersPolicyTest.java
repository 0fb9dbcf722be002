package io.ballast.policy.headers;

import static io.ballast.policy.testing.HttpRequests.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import io.ballast.policy.address.AddressListPolicy;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.config.SecurityHeadersConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import io.ballast.policy.testing.TestPolicies;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SecurityHeadersPolicyTest {

    private static final SecurityHeadersConfig PRESET = SecurityHeadersConfig.PRESET;
    private static final Script SETS_ITS_OWN = Script.answer(
            "HTTP/1.1 200 OK\r\nx-frame-options: DENY\r\nReferrer-Policy: origin\r\nContent-Length: 2\r\n\r\nok");

    private static NamedPolicy policy(SecurityHeadersConfig config) {
        return named(config.kind(), new SecurityHeadersPolicy(config));
    }

    private static SecurityHeadersConfig without(Optional<String> frameOptions, boolean override) {
        return new SecurityHeadersConfig(
                PRESET.strictTransportSecurity(),
                PRESET.contentTypeOptions(),
                frameOptions,
                PRESET.referrerPolicy(),
                PRESET.permissionsPolicy(),
                Optional.of("default-src 'self'"),
                override);
    }

    private static BalancerSetup before(TestBackend backend, NamedPolicy... policies) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policies);
    }

    private static void assertIsPreset(Answer answer) {
        assertThat(answer.headers("X-Content-Type-Options")).containsExactly("nosniff");
        assertThat(answer.headers("X-Frame-Options")).containsExactly("SAMEORIGIN");
        assertThat(answer.headers("Referrer-Policy")).containsExactly("strict-origin-when-cross-origin");
        assertThat(answer.headers("Permissions-Policy")).containsExactly("camera=(), geolocation=(), microphone=()");
        assertThat(answer.headers("Content-Security-Policy")).isEmpty();
        assertThat(answer.headers("Strict-Transport-Security")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void presetReplacesHeadersOfBackend(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(SETS_ITS_OWN);
                TestBalancer balancer = before(backend, policy(PRESET)).start()) {
            Answer answer = http.get(balancer, "/");

            assertThat(answer.status()).isEqualTo(200);
            assertIsPreset(answer);
        }
    }

    @ParameterizedTest
    @EnumSource
    void headersOfBackendAreKeptWithoutOverride(HttpRequests http) throws Exception {
        NamedPolicy policy = policy(without(PRESET.frameOptions(), /* override= */ false));
        try (TestBackend backend = TestBackend.playing(SETS_ITS_OWN);
                TestBalancer balancer = before(backend, policy).start()) {
            Answer answer = http.get(balancer, "/");

            assertThat(answer.headers("X-Frame-Options")).containsExactly("DENY");
            assertThat(answer.headers("Referrer-Policy")).containsExactly("origin");
            assertThat(answer.headers("X-Content-Type-Options")).containsExactly("nosniff");
            assertThat(answer.headers("Content-Security-Policy")).containsExactly("default-src 'self'");
        }
    }

    @ParameterizedTest
    @EnumSource
    void omittedHeaderIsLeftToBackend(HttpRequests http) throws Exception {
        NamedPolicy policy = policy(without(Optional.empty(), /* override= */ true));
        try (TestBackend backend = TestBackend.playing(SETS_ITS_OWN, Script.ok("hello"));
                TestBalancer balancer = before(backend, policy).start()) {
            assertThat(http.get(balancer, "/a").headers("X-Frame-Options")).containsExactly("DENY");
            assertThat(http.get(balancer, "/b").headers("X-Frame-Options")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void headerRuleTakesPrecedence(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(SETS_ITS_OWN);
                TestBalancer balancer = before(backend, policy(PRESET))
                        .headers(TestHeaderRules.response("X-FRAME-Options", "none"))
                        .respond("/fixed", 200, "fixed")
                        .start()) {
            assertThat(http.get(balancer, "/").headers("X-Frame-Options")).containsExactly("none");
            assertThat(http.get(balancer, "/fixed").headers("X-Frame-Options")).containsExactly("none");
        }
    }

    @ParameterizedTest
    @EnumSource
    void localResponsesHaveTheHeaders(HttpRequests http) throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                .backend(ClosedPort.find())
                .policies(policy(PRESET))
                .respond("/fixed", 200, "fixed")
                .start()) {
            Answer failed = http.get(balancer, "/");

            assertThat(failed.status()).isGreaterThanOrEqualTo(500);
            assertIsPreset(failed);
            assertIsPreset(http.get(balancer, "/fixed"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusalsOfOtherPoliciesHaveTheHeaders(HttpRequests http) throws Exception {
        AddressListConfig unused =
                new AddressListConfig(List.of(), List.of(), /* denyAll= */ true, /* closes= */ false);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestPolicies setup = new TestPolicies();
                TestBalancer balancer = before(
                                backend,
                                named(unused.kind(), new AddressListPolicy(unused, setup.environment())),
                                policy(PRESET))
                        .start()) {
            Answer refused = http.get(balancer, "/");

            assertThat(refused.status()).isEqualTo(403);
            assertIsPreset(refused);
        }
    }

    @Test
    void strictTransportSecurityIsSentOverTls(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.create();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, policy(PRESET))
                        .tls(ListenerTls.of(certificate.write(directory)))
                        .start();
                RawClient client = RawClient.connect(balancer.port(), certificate.client(), "localhost")) {
            RawResponse response =
                    client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").read();

            assertThat(response.header("Strict-Transport-Security")).isEqualTo("max-age=31536000");
            assertThat(response.header("X-Frame-Options")).isEqualTo("SAMEORIGIN");
        }
    }
}
