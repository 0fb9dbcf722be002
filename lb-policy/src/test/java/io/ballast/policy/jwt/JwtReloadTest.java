package io.ballast.policy.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import com.sun.net.httpserver.HttpServer;
import io.ballast.http.policy.Policy;
import io.ballast.policy.PolicyRegistry;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.jwt.JwtKeySource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JwtReloadTest {

    @Test
    void unchangedRuleKeepsItsPolicyWithKeysAndTokens() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger downloads = new AtomicInteger();
        CountDownLatch two = new CountDownLatch(2);
        server.createContext("/", exchange -> {
            byte[] set = new JWKSet(TestTokens.OLD_KEY).toString().getBytes(StandardCharsets.UTF_8);
            downloads.incrementAndGet();
            exchange.sendResponseHeaders(200, set.length);
            exchange.getResponseBody().write(set);
            exchange.close();
            two.countDown();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
        try (PolicyRegistry registry = PolicyRegistry.start(2, List.of(config(url, "sub")))) {
            Policy first = policy(registry);
            registry.prepare(List.of(config(url, "sub")), List.of()).commit();
            Policy kept = policy(registry);
            registry.prepare(List.of(config(url, "email")), List.of()).commit();
            Policy changed = policy(registry);

            assertThat(kept).isSameAs(first);
            assertThat(changed).isNotSameAs(first);
            assertThat(two.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(downloads).hasValue(2); // one download for each policy; the reload without a change causes none
        } finally {
            server.stop(0);
        }
    }

    private static PolicyConfig config(URI url, String claim) {
        return new PolicyConfig(
                "api",
                JwtSetup.config()
                        .keys(new JwtKeySource.Remote(url, /* allowHttp= */ false))
                        .header("X-User", claim)
                        .build(),
                /* dryRun= */ false);
    }

    private static Policy policy(PolicyRegistry registry) {
        return registry.active().find(List.of("api")).get(0).policy();
    }
}
