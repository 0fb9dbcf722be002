package io.ballast.policy.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.hash.SipHash24;
import io.ballast.core.net.Cidr;
import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.Ban;
import io.ballast.policy.config.RequestRateConfig.Headers;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests rate limits with real requests. The periods are an hour, so that no test depends on speed. */
class RateLimitPolicyTest {

    private static NamedPolicy named(LimitBuilder limit) {
        RequestRateConfig config = limit.build();
        return new NamedPolicy(
                "limit",
                config.kind(),
                new RateLimitPolicy(config, new SipHash24(1, 2), System::nanoTime),
                /* dryRun= */ false,
                new Counters<>(PolicyCounter.class, 2));
    }

    private static TestBalancer start(TestBackend backend, NamedPolicy policy) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(policy)
                .start();
    }

    private static int get(RawClient client, String path, String... headers) {
        return send(client, path, headers).status();
    }

    private static RawResponse send(RawClient client, String path, String... headers) {
        String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n")
                .read();
    }

    @Test
    void limitsClientOverAllConnections() throws Exception {
        NamedPolicy policy = named(new LimitBuilder());
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                RawClient one = balancer.client();
                RawClient other = balancer.client()) {
            assertThat(get(one, "/a")).isEqualTo(200);
            assertThat(get(other, "/b")).isEqualTo(200);
            RawResponse refused = send(one, "/c");

            assertThat(refused.status()).isEqualTo(429);
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 1800);
            assertThat(get(other, "/d")).isEqualTo(429);
            assertThat(policy.counters().sum(PolicyCounter.REFUSED)).isEqualTo(2);
        }
    }

    @Test
    void exemptClientIsNotLimited() throws Exception {
        NamedPolicy policy = named(new LimitBuilder().exempt(Cidr.parse("127.0.0.0/8")));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 10; i++) {
                assertThat(get(client, "/a")).isEqualTo(200);
            }
        }
    }

    @Test
    void countsEachValueOfKey() throws Exception {
        LimitKey user = new LimitKey(LimitKey.Source.HEADER, "X-User");
        LimitKey path = new LimitKey(LimitKey.Source.PATH, "");
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, named(new LimitBuilder().key(MissingKey.REFUSE, user, path)));
                RawClient client = balancer.client()) {
            assertThat(get(client, "/a", "X-User: u")).isEqualTo(200);
            assertThat(get(client, "/a?query", "X-User: u")).isEqualTo(200);
            assertThat(get(client, "/a", "X-User: u")).isEqualTo(429);
            assertThat(get(client, "/b", "X-User: u")).isEqualTo(200);
            assertThat(get(client, "/a", "X-User: v")).isEqualTo(200);
            assertThat(get(client, "/au", "X-User: ")).isEqualTo(429); // the key is missing
            assertThat(get(client, "/a")).isEqualTo(429);
        }
    }

    @Test
    void missingKeyIsReplacedOrSkipped() throws Exception {
        LimitKey cookie = new LimitKey(LimitKey.Source.COOKIE, "session");
        for (MissingKey missing : List.of(MissingKey.CLIENT, MissingKey.SKIP)) {
            try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                    TestBalancer balancer = start(backend, named(new LimitBuilder().key(missing, cookie)));
                    RawClient client = balancer.client()) {
                get(client, "/a");
                get(client, "/a");
                assertThat(get(client, "/a")).isEqualTo(missing == MissingKey.SKIP ? 200 : 429);
                assertThat(get(client, "/a", "Cookie: session=1")).isEqualTo(200);
            }
        }
    }

    @Test
    void countsOnlyResponsesWithStatus() throws Exception {
        NamedPolicy policy = named(new LimitBuilder().counting(401));
        Script good = Script.ok("hello");
        Script bad = Script.answer("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
        try (TestBackend backend = TestBackend.playing(good, good, good, bad, bad, good);
                TestBalancer balancer = start(backend, policy);
                RawClient client = balancer.client()) {
            for (int status : new int[] {200, 200, 200, 401, 401, 429}) {
                assertThat(get(client, "/login")).isEqualTo(status);
            }
        }
    }

    @Test
    void repeatedRefusalsBanTheKey() throws Exception {
        NamedPolicy policy = named(new LimitBuilder().ban(new Ban(3, Duration.ofHours(10))));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                RawClient client = balancer.client()) {
            get(client, "/a");
            get(client, "/a");
            for (int i = 0; i < 3; i++) {
                assertThat(Integer.parseInt(send(client, "/a").header("Retry-After")))
                        .isLessThanOrEqualTo(1800);
            }
            RawResponse banned = send(client, "/a");

            assertThat(banned.status()).isEqualTo(429);
            assertThat(Integer.parseInt(banned.header("Retry-After"))).isGreaterThan(35_000);
        }
    }

    @Test
    void requestAboveTheLimitWaitsForItsTurn() throws Exception {
        Rate tenPerSecond = new Rate(10, Duration.ofSeconds(1), /* burst= */ 1);
        NamedPolicy policy = named(new LimitBuilder().rates(tenPerSecond).delay(Duration.ofMinutes(1)));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                RawClient client = balancer.client()) {
            long start = System.nanoTime();
            for (int i = 0; i < 4; i++) {
                assertThat(get(client, "/a")).isEqualTo(200);
            }

            assertThat(System.nanoTime() - start)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(290).toNanos());
            assertThat(policy.counters().sum(PolicyCounter.PASSED)).isEqualTo(4);
        }
    }

    @Test
    void requestThatWouldWaitTooLongIsRefused() throws Exception {
        NamedPolicy policy = named(new LimitBuilder().delay(Duration.ofMinutes(1)));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                RawClient client = balancer.client()) {
            get(client, "/a");
            get(client, "/a");

            assertThat(get(client, "/a")).isEqualTo(429);
        }
    }

    @Test
    void responsesDescribeTheLimit() throws Exception {
        Rate daily = new Rate(1000, Duration.ofDays(1));
        NamedPolicy policy =
                named(new LimitBuilder().rates(LimitBuilder.TWO_PER_HOUR, daily).headers(Headers.RATELIMIT));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                RawClient client = balancer.client()) {
            RawResponse first = send(client, "/a");
            send(client, "/a");
            RawResponse refused = send(client, "/a");

            assertThat(first.header("RateLimit-Policy")).isEqualTo("\"1\";q=2;w=3600, \"2\";q=1000;w=86400");
            assertThat(first.header("RateLimit")).isEqualTo("\"1\";r=1;t=1800");
            assertThat(refused.header("RateLimit")).startsWith("\"1\";r=0;t=3");
        }
    }

    @Test
    void responsesMayUseTheOlderHeaders() throws Exception {
        NamedPolicy policy = named(new LimitBuilder().headers(Headers.X_RATELIMIT));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                RawClient client = balancer.client()) {
            RawResponse first = send(client, "/a");

            assertThat(first.header("X-RateLimit-Limit")).isEqualTo("2");
            assertThat(first.header("X-RateLimit-Remaining")).isEqualTo("1");
            assertThat(first.header("X-RateLimit-Reset")).isEqualTo("1800");
        }
    }

    @Test
    void spellingsOfOnePathShareACounter() throws Exception {
        LimitKey path = new LimitKey(LimitKey.Source.PATH, "");
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, named(new LimitBuilder().key(MissingKey.CLIENT, path)));
                RawClient client = balancer.client()) {
            assertThat(get(client, "/login")).isEqualTo(200);
            assertThat(get(client, "/%6cogin")).isEqualTo(200);
            for (String spelling : List.of("/l%6Fgin", "//login", "/./login", "/a/../login?x=1")) {
                assertThat(get(client, spelling)).as(spelling).isEqualTo(429);
            }
        }
    }

    /** The clocks of event loops differ by milliseconds, which must not matter. */
    @Test
    void wholeBurstPassesOnAllEventLoops() throws Exception {
        for (int round = 0; round < 50; round++) {
            NamedPolicy policy = named(new LimitBuilder());
            try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                    TestBalancer balancer = start(backend, policy);
                    RawClient one = balancer.client();
                    RawClient other = balancer.client()) {
                assertThat(get(one, "/a")).isEqualTo(200);
                assertThat(get(other, "/a")).isEqualTo(200);
                assertThat(get(one, "/a")).isEqualTo(429);
            }
        }
    }

    @Test
    void parallelRequestsCannotExceedALimitOfResponses() throws Exception {
        Script bad = Script.answer("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
        NamedPolicy policy = named(new LimitBuilder().counting(401));
        try (TestBackend backend = TestBackend.playing(bad);
                TestBalancer balancer = start(backend, policy);
                RawClient first = balancer.client();
                RawClient second = balancer.client();
                RawClient third = balancer.client()) {
            String guess = "POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n";
            first.send(guess); // the body is missing, so that there is no response yet
            second.send(guess);
            balancer.await("both requests have passed", () -> policy.counters().sum(PolicyCounter.PASSED) == 2);

            assertThat(third.send(guess + "x").read().status()).isEqualTo(429);
        }
    }

    @Test
    void dryRunDelaysNothing() throws Exception {
        NamedPolicy policy = named(new LimitBuilder().delay(Duration.ofMinutes(1)));
        NamedPolicy dryRun =
                new NamedPolicy(policy.name(), policy.kind(), policy.policy(), /* dryRun= */ true, policy.counters());
        Rate slow = new Rate(2, Duration.ofMinutes(1), /* burst= */ 1);
        NamedPolicy delaying = named(new LimitBuilder().rates(slow).delay(Duration.ofMinutes(1)));
        NamedPolicy dryDelay =
                new NamedPolicy("delay", delaying.kind(), delaying.policy(), /* dryRun= */ true, delaying.counters());
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .policies(dryRun, dryDelay)
                        .start();
                RawClient client = balancer.client()) {
            long start = System.nanoTime();
            get(client, "/a");
            get(client, "/a");

            assertThat(System.nanoTime() - start)
                    .isLessThan(Duration.ofSeconds(25).toNanos()); // without dry_run, the request would wait 30 s
        }
    }
}
