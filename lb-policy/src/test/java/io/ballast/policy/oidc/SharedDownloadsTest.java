package io.ballast.policy.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.TestBackend;
import io.ballast.policy.PolicyRegistry;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.jwt.JwtClaimRules;
import io.ballast.policy.config.jwt.JwtConfig;
import io.ballast.policy.config.jwt.JwtKeySource;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SharedDownloadsTest {

    private static final int POLICIES = 20;

    private static final Pattern THREADS = Pattern.compile("(HttpClient|fetch|policy-downloads|jwt|oidc)-?.*");

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> THREADS.matcher(thread.getName()).matches())
                .count();
    }

    private static List<PolicyConfig> configs(TestBackend server) {
        JwtClaimRules claims = new JwtClaimRules(List.of(), List.of(), List.of(), Duration.ofSeconds(30), Map.of());
        List<PolicyConfig> configs = new ArrayList<>();
        for (int i = 0; i < POLICIES; i++) {
            String url = "http://127.0.0.1:" + server.port() + "/" + i;
            JwtKeySource keys = new JwtKeySource.Remote(URI.create(url), /* allowHttp= */ false);
            configs.add(new PolicyConfig("jwt" + i, JwtConfig.of(keys, claims, Map.of()), /* dryRun= */ false));
            configs.add(new PolicyConfig("oidc" + i, OidcSetup.config(url), /* dryRun= */ false));
        }
        return configs;
    }

    @Test
    void manyPoliciesShareOneClient() throws Exception {
        CountDownLatch requests = new CountDownLatch(2 * POLICIES);
        try (TestBackend server = TestBackend.playing(connection -> {
            connection.readRequest();
            requests.countDown();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
        })) {
            long before = threads();
            try (PolicyRegistry registry = PolicyRegistry.start(2, configs(server))) {
                assertThat(requests.await(1, TimeUnit.MINUTES)).isTrue();

                assertThat(registry.active().all()).hasSize(2 * POLICIES);
                assertThat(threads()).isLessThanOrEqualTo(before + 4);
            }
        }
    }
}
