package io.ballast.policy.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.RequestRateConfig.Ban;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import io.ballast.policy.testing.TestPolicies;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients that send many spellings of one key to evade a limit, and clients that fill the table of keys. */
class AmbiguousKeyTest {

    private static final LimitKey USER = new LimitKey(LimitKey.Source.HEADER, "X-User");
    private static final LimitKey COOKIE = new LimitKey(LimitKey.Source.COOKIE, "sid");

    private static RateLimitPolicy policy(LimitBuilder limit) {
        return new RateLimitPolicy(limit.build(), new SipHash24(1, 2), System::nanoTime);
    }

    private static RawResponse send(RawClient client, String... headers) {
        return client.send("GET /a HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", headers) + "\r\n\r\n")
                .read();
    }

    @ParameterizedTest
    @EnumSource
    void aRepeatedHeaderCountsForTheClient(MissingKey missing) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = TestPolicies.start(backend, policy(new LimitBuilder().key(missing, USER)));
                RawClient client = balancer.client()) {
            assertThat(send(client, "X-User: new1", "X-User: ann").status()).isEqualTo(200);
            assertThat(send(client, "X-User: ann", "x-user: new2").status()).isEqualTo(200);

            assertThat(send(client, "X-User: new3", "X-User: ann").status()).isEqualTo(429);
            assertThat(send(client, "X-User: bob").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sid=new%d; sid=ann", "sid=ann; a=b;sid=new%d", "sid=ann\r\nCookie: b=c; sid=new%d"})
    void aRepeatedCookieCountsForTheClient(String cookies) throws Exception {
        RateLimitPolicy limit = policy(new LimitBuilder().key(MissingKey.SKIP, COOKIE));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = TestPolicies.start(backend, limit);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 2; i++) {
                assertThat(send(client, "Cookie: " + cookies.formatted(i)).status())
                        .isEqualTo(200);
            }

            assertThat(send(client, "Cookie: " + cookies.formatted(2)).status()).isEqualTo(429);
            assertThat(send(client, "Cookie: sid=bob; side=x; xsid=y").status()).isEqualTo(200);
        }
    }

    @Test
    void spellingsOfOneCookieShareACounter() throws Exception {
        RateLimitPolicy limit = policy(new LimitBuilder().key(MissingKey.REFUSE, COOKIE));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = TestPolicies.start(backend, limit);
                RawClient client = balancer.client()) {
            assertThat(send(client, "Cookie: sid=ann").status()).isEqualTo(200);
            assertThat(send(client, "Cookie: sid=\"ann\"").status()).isEqualTo(200);

            assertThat(send(client, "Cookie: sid=%61nn").status()).isEqualTo(429);
            assertThat(send(client, "Cookie: sid=an%6E").status()).isEqualTo(429);
            assertThat(send(client, "Cookie: sid=an%6").status()).isEqualTo(200); // not a valid percent-encoding
        }
    }

    @Test
    void aKeyWithoutAPlaceInTheTableIsNotBanned() throws Exception {
        RateLimitPolicy limit = policy(new LimitBuilder()
                .key(MissingKey.SKIP, USER)
                .onFull(OnFull.REFUSE)
                .ban(new Ban(3, Duration.ofHours(10))));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = TestPolicies.start(backend, limit);
                RawClient client = balancer.client()) {
            int next = 0;
            while (send(client, "X-User: u" + next).status() == 200) {
                next++;
            }
            RawResponse last = send(client, "X-User: u" + next);
            for (int i = 0; i < 10; i++) {
                last = send(client, "X-User: u" + next);
            }

            assertThat(last.status()).isEqualTo(429);
            assertThat(Integer.parseInt(last.header("Retry-After"))).isLessThanOrEqualTo(1800);
        }
    }
}
