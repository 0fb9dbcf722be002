package io.ballast.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that files of challenges take precedence over policies and routes. */
class ChallengeFilesTest {

    private static final String PATH = "/.well-known/acme-challenge/";

    private final TestPolicy refusing =
            new TestPolicy("refusing", Phase.ADDRESS, exchange -> new Refusal(403, "address_denied", ""));

    @ParameterizedTest
    @EnumSource
    void fileIsServedBeforePolicies(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("backend"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .policies(refusing.named())
                        .start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post(PATH + "token-1_a", "").status()).isEqualTo(403);

            balancer.frontend().challengeFiles().put("token-1_a", "token-1_a.thumbprint");

            PolicyClient.Answer answer = client.post(PATH + "token-1_a", "");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("token-1_a.thumbprint");
            assertThat(answer.headers("content-type")).containsExactly("application/octet-stream");
            assertThat(client.post(PATH + "token-1", "").status()).isEqualTo(403);
            assertThat(client.post(PATH, "").status()).isEqualTo(403);

            balancer.frontend().challengeFiles().remove("token-1_a");
            assertThat(client.post(PATH + "token-1_a", "").status()).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @EnumSource
    void unknownFileIsRouted(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("backend"));
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                PolicyClient client = version.connect(balancer)) {
            balancer.frontend().challengeFiles().put("known", "known.thumbprint");

            assertThat(client.post(PATH + "unknown", "").body()).isEqualTo("backend");
        }
    }
}
