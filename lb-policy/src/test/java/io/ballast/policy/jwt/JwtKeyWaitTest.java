package io.ballast.policy.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.RawClient;
import io.ballast.policy.jwt.JwtSetup.Reply;
import io.ballast.policy.jwt.key.RemoteKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests requests that wait for keys, with a scripted server. */
class JwtKeyWaitTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String OLD_SET = new JWKSet(TestTokens.OLD_KEY).toString();
    private static final String NEW_SET = new JWKSet(TestTokens.NEW_KEY).toString();
    private static final String OLD = "Bearer " + TestTokens.signed(TestTokens.claims());
    private static final String NEW = "Bearer "
            + TestTokens.signed(TestTokens.NEW_KEY, "{\"alg\":\"ES256\",\"kid\":\"new\"}", TestTokens.claims());

    private final ManualScheduler timer = new ManualScheduler();
    private final List<CompletableFuture<String>> downloads = new CopyOnWriteArrayList<>();
    private final RemoteKeys keys = new RemoteKeys("https://id.example/keys", this::download, timer, timer::nanoTime);

    private CompletableFuture<String> download() {
        CompletableFuture<String> download = new CompletableFuture<>();
        downloads.add(download);
        return download;
    }

    @Test
    void requestWaitsForTheFirstKeys() throws Exception {
        try (JwtSetup setup = JwtSetup.with(keys, LONG).start();
                RawClient client = setup.balancer().client()) {
            client.send(JwtSetup.request("authorization", OLD));
            setup.balancer()
                    .await(
                            "the request waits",
                            () -> keys.refresh().orElseThrow().getNumberOfDependents() > 0);
            assertThat(setup.policy().counters().sum(PolicyCounter.PASSED)).isZero();
            downloads.get(0).complete(OLD_SET);

            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    @Test
    void unreachableServerIs503() throws Exception {
        try (JwtSetup setup = JwtSetup.with(keys, LONG).start();
                RawClient client = setup.balancer().client()) {
            client.send(JwtSetup.request("authorization", OLD));
            setup.balancer()
                    .await(
                            "the request waits",
                            () -> keys.refresh().orElseThrow().getNumberOfDependents() > 0);
            downloads.get(0).completeExceptionally(new IOException("connection refused"));

            assertThat(client.read().status()).isEqualTo(503);
            assertThat(setup.get(true, "authorization", OLD)).isEqualTo(new Reply(503, null));
        }
    }

    @Test
    void slowServerIs503() throws Exception {
        try (JwtSetup setup = JwtSetup.with(keys, Duration.ofMillis(10)).start()) {
            assertThat(setup.get(false, "authorization", OLD).status()).isEqualTo(503);
            assertThat(setup.get(true, "authorization", OLD).status()).isEqualTo(503);
            downloads.get(0).complete(OLD_SET);

            assertThat(setup.get(false, "authorization", OLD).status()).isEqualTo(200);
        }
    }

    @Test
    void requestWithNewKeyWaitsForARefresh() throws Exception {
        downloads.get(0).complete(OLD_SET);
        try (JwtSetup setup = JwtSetup.with(keys, LONG).start();
                RawClient client = setup.balancer().client()) {
            assertThat(setup.get(false, "authorization", OLD).status()).isEqualTo(200);
            assertThat(setup.get(false, "authorization", NEW).challenge()).contains("no key matches");
            timer.advance(Duration.ofSeconds(30));
            client.send(JwtSetup.request("authorization", NEW));
            setup.balancer().await("the refresh has begun", () -> downloads.size() == 2);
            assertThat(setup.get(false, "authorization", OLD).status()).isEqualTo(200);
            downloads.get(1).complete(NEW_SET);

            assertThat(client.read().status()).isEqualTo(200);
            // The issuer has removed the old key, so that its tokens in the cache are no longer valid.
            assertThat(setup.get(false, "authorization", OLD).challenge()).contains("no key matches");
        }
    }

    @Test
    void floodOfUnknownKeysCausesOneDownload() throws Exception {
        downloads.get(0).complete(OLD_SET);
        timer.advance(Duration.ofSeconds(30));
        try (JwtSetup setup = JwtSetup.with(keys, Duration.ofMillis(1)).start()) {
            for (int i = 0; i < 50; i++) {
                String header = "{\"alg\":\"ES256\",\"kid\":\"" + i + "\"}";
                String token = TestTokens.signed(TestTokens.NEW_KEY, header, TestTokens.claims());
                assertThat(setup.get(false, "authorization", "Bearer " + token).status())
                        .isEqualTo(401);
            }

            assertThat(downloads).hasSize(2);
        }
    }
}
