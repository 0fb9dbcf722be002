package io.ballast.policy.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.Address;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.MirrorConfig;
import io.ballast.policy.testing.TestPolicies;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** A policy that mirrors requests to the pool {@value #NEXT}. */
final class MirrorSetup {

    static final String NEXT = "next";

    private final MirrorPolicy policy;

    private MirrorSetup(MirrorConfig config) {
        policy = new MirrorPolicy(config, /* eventLoops= */ 2);
    }

    /** Mirrors all requests with the default limits. */
    static MirrorSetup all() {
        return new MirrorSetup(MirrorConfig.to(NEXT));
    }

    static MirrorSetup with(int share, int maxBodyBytes, int maxInFlight, Duration timeout) {
        return new MirrorSetup(new MirrorConfig(NEXT, share, maxBodyBytes, maxInFlight, timeout));
    }

    /** Mirrors all requests with bodies of at most this length. */
    static MirrorSetup maxBody(int bytes) {
        return with(MirrorConfig.MAX_SHARE, bytes, /* maxInFlight= */ 100, MirrorConfig.MAX_TIMEOUT);
    }

    /** Mirrors at most this number of requests at the same time. */
    static MirrorSetup maxInFlight(int max) {
        return with(MirrorConfig.MAX_SHARE, /* maxBodyBytes= */ 1000, max, MirrorConfig.MAX_TIMEOUT);
    }

    MirrorPolicy policy() {
        return policy;
    }

    /** Returns the setup of a balancer that applies this policy and has the mirror as another pool. */
    BalancerSetup balancer(TestBackend backend, Address mirror) {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .pool(NEXT, mirror)
                .policies(TestPolicies.named(policy));
    }

    TestBalancer start(TestBackend backend, TestBackend mirror) throws Exception {
        return balancer(backend, mirror.address()).start();
    }

    long count(String outcome) {
        Long count = policy.responses().get(outcome);
        assertThat(count).as(outcome).isNotNull();
        return count;
    }

    /** Waits until this number of requests had an outcome, and checks that no other outcome occurred. */
    void await(TestBalancer balancer, String outcome, long number) {
        balancer.await(outcome, () -> count(outcome) >= number);
        assertThat(outcomes()).containsExactly(Map.entry(outcome, number));
    }

    /** The number of requests with an outcome. */
    long total() {
        return policy.responses().values().stream().mapToLong(Long::longValue).sum();
    }

    /** The outcomes that occurred. */
    Map<String, Long> outcomes() {
        return policy.responses().entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
