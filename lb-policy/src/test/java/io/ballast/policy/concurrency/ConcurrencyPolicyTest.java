package io.ballast.policy.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.RequestQueue;
import io.ballast.core.hash.SipHash24;
import io.ballast.http.policy.KeyUsage;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests concurrency limits with real requests of both HTTP versions. */
class ConcurrencyPolicyTest {

    /** Two requests of a key may wait. */
    private static final RequestQueue TWO_WAIT = new RequestQueue(8, Duration.ofMinutes(1));

    private static ConcurrencyPolicy limit(RequestQueue queue) {
        return new ConcurrencyPolicy(ConcurrencyConfig.perClient(1, queue), new SipHash24(1, 2), System::nanoTime);
    }

    private static ConcurrencyPolicy limit(LimitKey.Source key, RequestQueue queue) {
        ConcurrencyConfig config = new ConcurrencyConfig(
                1, List.of(new LimitKey(key, "")), MissingKey.CLIENT, queue, 100, OnFull.ALLOW, 64);
        return new ConcurrencyPolicy(config, new SipHash24(1, 2), System::nanoTime);
    }

    private static void assertRefused(PolicyClient.Answer answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.headers("retry-after")).containsExactly("1");
    }

    @ParameterizedTest
    @EnumSource
    void requestAboveTheLimitIsRefused(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(RequestQueue.NONE);
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            PolicyClient other = backend.client();
            assertRefused(other.post("/second", ""), 429);

            backend.answer(one);
            backend.await("the request has ended", () -> policy.keys() == 0);
            assertThat(other.post("/third", "").status()).isEqualTo(200);
            backend.await("the request has ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void heaviestKeysAreThoseWithRefusalsThenThoseInFlight(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(LimitKey.Source.PATH, RequestQueue.NONE);
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            PolicyClient two = backend.begin("/second");
            assertThat(backend.client().post("/second?query", "").status()).isEqualTo(503);

            List<KeyUsage> keys = policy.heaviestKeys(10);
            assertThat(keys).extracting(KeyUsage::text).containsExactly(Optional.of("path /second"), Optional.empty());
            assertThat(keys).extracting(KeyUsage::refused).containsExactly(1L, 0L);
            assertThat(keys).extracting(KeyUsage::used).containsExactly(1L, 1L);
            assertThat(keys).extracting(KeyUsage::limit).containsExactly(1L, 1L);

            backend.answer(one, two);
            backend.await("the requests have ended", () -> policy.keys() == 0);
            assertThat(policy.heaviestKeys(10)).singleElement().satisfies(key -> {
                assertThat(key.text()).hasValue("path /second");
                assertThat(key.used()).isZero();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestThatHasWaitedTooLongIsARefusalOfItsKey(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(LimitKey.Source.PATH, new RequestQueue(8, Duration.ofMillis(1)));
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            assertThat(backend.client().post("/first", "").status()).isEqualTo(503);

            assertThat(policy.heaviestKeys(10)).singleElement().satisfies(key -> {
                assertThat(key.text()).hasValue("path /first");
                assertThat(key.refused()).isOne();
            });
            backend.answer(one);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitingRequestsFollowInOrder(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(TWO_WAIT);
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            PolicyClient two = backend.client();
            two.begin("/second", "bo");
            backend.await("a request waits", () -> policy.waiting() == 1);
            PolicyClient three = backend.beginWaiting("/third");
            backend.await("two requests wait", () -> policy.waiting() == 2);
            assertThat(backend.client().post("/fourth", "").status()).isEqualTo(429);
            two.continueBody("dy");

            backend.answer(one);
            PolicyClient.Answer waited = two.read();
            assertThat(waited.status()).isEqualTo(200);
            assertThat(waited.headers("retry-after")).isEmpty();
            assertThat(three.read().status()).isEqualTo(200);
            assertThat(backend.nextRequest()).contains("/second");
            assertThat(backend.nextRequest()).contains("/third");
            backend.await("all requests have ended", () -> policy.keys() == 0 && policy.waiting() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneKeyCannotFillTheQueue(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(LimitKey.Source.PATH, new RequestQueue(4, Duration.ofMinutes(1)));
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            PolicyClient two = backend.beginWaiting("/first");
            backend.await("a request waits", () -> policy.waiting() == 1);
            assertThat(backend.client().post("/first", "").status()).isEqualTo(503);
            PolicyClient other = backend.begin("/other");
            PolicyClient another = backend.beginWaiting("/other");
            backend.await("a request of another key waits", () -> policy.waiting() == 2);
            assertThat(policy.state()).isEqualTo(Map.of("keys", 2L, "waiting", 2L));

            backend.answer(one, two, other, another);
            backend.await("all requests have ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectedClientLeavesTheQueue(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(TWO_WAIT);
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            PolicyClient two = backend.beginWaiting("/second");
            backend.await("a request waits", () -> policy.waiting() == 1);
            two.close();
            backend.await("no request waits", () -> policy.waiting() == 0);

            backend.answer(one);
            backend.await("the request has ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitingTimeIsBounded(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(new RequestQueue(4, Duration.ofMillis(1)));
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            assertRefused(backend.client().post("/second", ""), 429);
            assertThat(policy.waiting()).isZero();

            backend.answer(one);
            backend.await("the request has ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectedClientReleasesItsPermit(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(RequestQueue.NONE);
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient client = backend.begin("/first");
            assertThat(policy.keys()).isOne();
            client.close();
            backend.await("the request has ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void limitOfAllClientsRefusesWith503(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(LimitKey.Source.HOST, RequestQueue.NONE);
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            assertThat(backend.client().post("/second", "").status()).isEqualTo(503);
            backend.answer(one);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dryRunNeitherRefusesNorDelays(PolicyVersion version) throws Exception {
        ConcurrencyPolicy policy = limit(TWO_WAIT);
        try (HeldBackend backend = new HeldBackend(version, policy, /* dryRun= */ true)) {
            PolicyClient one = backend.begin("/first");
            PolicyClient other = backend.begin("/second");
            assertThat(backend.count(PolicyCounter.WOULD_REFUSE)).isOne();
            backend.answer(one, other);
            backend.await("all requests have ended", () -> policy.keys() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void poolRefusesWith503(PolicyVersion version) throws Exception {
        PoolConcurrencyPolicy policy = new PoolConcurrencyPolicy(PoolConcurrency.fixed(1), System.nanoTime());
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            assertRefused(backend.client().post("/second", ""), 503);

            backend.answer(one);
            backend.await("the request has ended", () -> policy.inFlight() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void poolQueuesRequests(PolicyVersion version) throws Exception {
        PoolConcurrencyPolicy policy =
                new PoolConcurrencyPolicy(new PoolConcurrency(/* adaptive= */ true, 1, 1, TWO_WAIT), System.nanoTime());
        try (HeldBackend backend = new HeldBackend(version, policy)) {
            PolicyClient one = backend.begin("/first");
            PolicyClient other = backend.beginWaiting("/second");
            backend.await("a request waits", () -> policy.waiting() == 1);
            assertThat(policy.state()).isEqualTo(Map.of("limit", 1L, "in_flight", 1L, "waiting", 1L));
            backend.answer(one, other);
            backend.await("all requests have ended", () -> policy.inFlight() == 0);
        }
    }
}
