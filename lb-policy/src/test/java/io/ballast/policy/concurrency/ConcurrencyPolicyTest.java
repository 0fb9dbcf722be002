package io.ballast.policy.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.RequestQueue;
import io.ballast.core.hash.SipHash24;
import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests concurrency limits with real requests of both HTTP versions. */
class ConcurrencyPolicyTest {

    /** Two requests of a key may wait. */
    private static final RequestQueue TWO_WAIT = new RequestQueue(8, Duration.ofMinutes(1));

    private final CountDownLatch latch = new CountDownLatch(1);

    private static ConcurrencyPolicy limit(RequestQueue queue) {
        return new ConcurrencyPolicy(ConcurrencyConfig.perClient(1, queue), new SipHash24(1, 2));
    }

    private static NamedPolicy named(Policy policy, boolean dryRun) {
        return new NamedPolicy("limit", "concurrency", policy, dryRun, new Counters<>(PolicyCounter.class, 2));
    }

    private static TestBalancer start(TestBackend backend, Policy policy) throws Exception {
        return start(backend, named(policy, /* dryRun= */ false));
    }

    private static TestBalancer start(TestBackend backend, NamedPolicy policy) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(policy)
                .start();
    }

    /** Begins a request, and waits until the backend has it. */
    private static void begin(PolicyClient client, TestBackend backend) throws InterruptedException {
        begin(client, "/first", backend);
    }

    private static void begin(PolicyClient client, String path, TestBackend backend) throws InterruptedException {
        client.begin(path, "");
        backend.nextRequest();
    }

    @ParameterizedTest
    @EnumSource
    void requestAboveTheLimitIsRefused(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(RequestQueue.NONE);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
                TestBalancer balancer = start(backend, policy);
                PolicyClient one = version.connect(balancer);
                PolicyClient other = version.connect(balancer)) {
            begin(one, backend);
            PolicyClient.Answer refused = other.post("/second", "");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers("retry-after")).containsExactly("1");

            latch.countDown();
            assertThat(one.read().status()).isEqualTo(200);
            balancer.await("the request has ended", () -> policy.keys() == 0);
            assertThat(other.post("/third", "").status()).isEqualTo(200);
            balancer.await("the request has ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitingRequestsFollowInOrder(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(TWO_WAIT);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
                TestBalancer balancer = start(backend, policy);
                PolicyClient one = version.connect(balancer);
                PolicyClient two = version.connect(balancer);
                PolicyClient three = version.connect(balancer);
                PolicyClient four = version.connect(balancer)) {
            begin(one, backend);
            two.begin("/second", "bo");
            balancer.await("a request waits", () -> policy.waiting() == 1);
            three.begin("/third", "");
            balancer.await("two requests wait", () -> policy.waiting() == 2);
            assertThat(four.post("/fourth", "").status()).isEqualTo(429);
            two.continueBody("dy");

            latch.countDown();
            assertThat(one.read().status()).isEqualTo(200);
            PolicyClient.Answer waited = two.read();
            assertThat(waited.status()).isEqualTo(200);
            assertThat(waited.headers("retry-after")).isEmpty();
            assertThat(three.read().status()).isEqualTo(200);
            assertThat(backend.nextRequest()).contains("/second");
            assertThat(backend.nextRequest()).contains("/third");
            balancer.await("all requests have ended", () -> policy.keys() == 0 && policy.waiting() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneKeyCannotFillTheQueue(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = new ConcurrencyPolicy(
                new ConcurrencyConfig(
                        1,
                        List.of(new LimitKey(LimitKey.Source.PATH, "")),
                        MissingKey.CLIENT,
                        new RequestQueue(4, Duration.ofMinutes(1)),
                        100,
                        OnFull.ALLOW,
                        64),
                new SipHash24(1, 2));
        try (TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
                TestBalancer balancer = start(backend, policy);
                PolicyClient one = version.connect(balancer);
                PolicyClient two = version.connect(balancer);
                PolicyClient three = version.connect(balancer);
                PolicyClient other = version.connect(balancer);
                PolicyClient another = version.connect(balancer)) {
            begin(one, backend);
            two.begin("/first", "");
            balancer.await("a request waits", () -> policy.waiting() == 1);
            assertThat(three.post("/first", "").status()).isEqualTo(503);
            begin(other, "/other", backend);
            another.begin("/other", "");
            balancer.await("a request of another key waits", () -> policy.waiting() == 2);
            assertThat(policy.state()).isEqualTo(Map.of("keys", 2L, "waiting", 2L));

            latch.countDown();
            for (PolicyClient client : List.of(one, two, other, another)) {
                assertThat(client.read().status()).isEqualTo(200);
            }
            balancer.await("all requests have ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectedClientLeavesTheQueue(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(TWO_WAIT);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
                TestBalancer balancer = start(backend, policy);
                PolicyClient one = version.connect(balancer);
                PolicyClient two = version.connect(balancer)) {
            begin(one, backend);
            two.begin("/second", "");
            balancer.await("a request waits", () -> policy.waiting() == 1);
            two.close();
            balancer.await("no request waits", () -> policy.waiting() == 0);

            latch.countDown();
            assertThat(one.read().status()).isEqualTo(200);
            balancer.await("the request has ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitingTimeIsBounded(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(new RequestQueue(4, Duration.ofMillis(1)));
        try (TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
                TestBalancer balancer = start(backend, policy);
                PolicyClient one = version.connect(balancer);
                PolicyClient two = version.connect(balancer)) {
            begin(one, backend);
            PolicyClient.Answer refused = two.post("/second", "");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers("retry-after")).containsExactly("1");
            assertThat(policy.waiting()).isZero();

            latch.countDown();
            assertThat(one.read().status()).isEqualTo(200);
            balancer.await("the request has ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectedClientReleasesItsPermit(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(RequestQueue.NONE);
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = start(backend, policy);
                PolicyClient client = version.connect(balancer)) {
            client.begin("/first", "");
            balancer.await("the request is counted", () -> policy.keys() == 1);
            client.close();
            balancer.await("the request has ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void limitOfAllClientsRefusesWith503(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = new ConcurrencyPolicy(
                new ConcurrencyConfig(
                        1,
                        List.of(new LimitKey(LimitKey.Source.HOST, "")),
                        MissingKey.CLIENT,
                        RequestQueue.NONE,
                        100,
                        OnFull.ALLOW,
                        64),
                new SipHash24(1, 2));
        try (TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
                TestBalancer balancer = start(backend, policy);
                PolicyClient one = version.connect(balancer);
                PolicyClient other = version.connect(balancer)) {
            begin(one, backend);
            assertThat(other.post("/second", "").status()).isEqualTo(503);
            latch.countDown();
            assertThat(one.read().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dryRunNeitherRefusesNorDelays(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(TWO_WAIT);
        NamedPolicy dryRun = named(policy, /* dryRun= */ true);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
                TestBalancer balancer = start(backend, dryRun);
                PolicyClient one = version.connect(balancer);
                PolicyClient other = version.connect(balancer)) {
            begin(one, backend);
            begin(other, backend);
            assertThat(dryRun.counters().sum(PolicyCounter.WOULD_REFUSE)).isOne();
            latch.countDown();
            assertThat(one.read().status()).isEqualTo(200);
            assertThat(other.read().status()).isEqualTo(200);
            balancer.await("all requests have ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void poolRefusesWith503(PolicyVersion version) throws Exception {
        PoolConcurrencyPolicy policy = new PoolConcurrencyPolicy(PoolConcurrency.fixed(1), System.nanoTime());
        try (TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
                TestBalancer balancer = start(backend, policy);
                PolicyClient one = version.connect(balancer);
                PolicyClient other = version.connect(balancer)) {
            begin(one, backend);
            PolicyClient.Answer refused = other.post("/second", "");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers("retry-after")).containsExactly("1");

            latch.countDown();
            assertThat(one.read().status()).isEqualTo(200);
            balancer.await("the request has ended", () -> policy.inFlight() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void poolQueuesRequests(PolicyVersion version) throws Exception {
        PoolConcurrencyPolicy policy =
                new PoolConcurrencyPolicy(new PoolConcurrency(/* adaptive= */ true, 1, 1, TWO_WAIT), System.nanoTime());
        try (TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
                TestBalancer balancer = start(backend, policy);
                PolicyClient one = version.connect(balancer);
                PolicyClient other = version.connect(balancer)) {
            begin(one, backend);
            other.begin("/second", "");
            balancer.await("a request waits", () -> policy.waiting() == 1);
            assertThat(policy.state()).isEqualTo(Map.of("limit", 1L, "in_flight", 1L, "waiting", 1L));
            latch.countDown();
            assertThat(one.read().status()).isEqualTo(200);
            assertThat(other.read().status()).isEqualTo(200);
            balancer.await("all requests have ended", () -> policy.inFlight() == 0);
        }
    }
}
