package io.ballast.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.PoolConfig;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Policy;
import io.ballast.policy.breaker.CircuitBreakerPolicy;
import io.ballast.policy.concurrency.PoolConcurrencyPolicy;
import io.ballast.policy.work.PolicyServices;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the policies that are configured by keys of pools. */
class PoolPoliciesTest {

    private static final PoolConfig WEB = PoolConfig.builder("web")
            .concurrency(Optional.of(PoolConcurrency.fixed(10)))
            .circuitBreaker(Optional.of(CircuitBreakerConfig.DEFAULT))
            .build();
    private static final PoolConfig PLAIN = PoolConfig.builder("web2").build();

    private final PolicyRegistry registry =
            PolicyRegistry.start(/* eventLoops= */ 1, PolicyServices.NONE, List.of(), List.of(WEB, PLAIN));

    @AfterEach
    void close() {
        registry.close();
    }

    private List<Policy> ofPool(String pool) {
        return registry.active().ofPool(pool).stream().map(NamedPolicy::policy).toList();
    }

    @Test
    void circuitBreakerPrecedesTheLimit() {
        assertThat(registry.active().ofPool("web"))
                .extracting(NamedPolicy::name)
                .containsExactly("pool:web/circuit_breaker", "pool:web/concurrency");
        assertThat(ofPool("web").get(0)).isInstanceOf(CircuitBreakerPolicy.class);
        assertThat(ofPool("web").get(1)).isInstanceOf(PoolConcurrencyPolicy.class);
        assertThat(ofPool("web2")).isEmpty();
        assertThat(ofPool("we")).isEmpty();
    }

    @Test
    void reloadKeepsTheStateOfUnchangedPolicies() {
        List<Policy> before = ofPool("web");
        PoolConfig changed = WEB.toBuilder()
                .concurrency(Optional.of(PoolConcurrency.fixed(20)))
                .build();
        registry.prepare(List.of(), List.of(changed, PLAIN)).commit();

        assertThat(ofPool("web").get(0)).isSameAs(before.get(0));
        assertThat(ofPool("web").get(1)).isNotSameAs(before.get(1));
    }
}
