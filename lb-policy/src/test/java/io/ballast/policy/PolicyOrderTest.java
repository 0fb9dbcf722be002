package io.ballast.policy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.RequestQueue;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyChain;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.config.BasicConfig;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.config.CombinationConfig;
import io.ballast.policy.config.CombinationConfig.Mode;
import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.CorsConfig;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.MirrorConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.PolicyRule;
import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.Headers;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import io.ballast.policy.config.RequestRateConfig.Scope;
import io.ballast.policy.config.SecurityHeadersConfig;
import io.ballast.policy.config.TracingConfig;
import io.ballast.policy.testing.TestPolicies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that policies are evaluated in the documented order, whatever their order in the configuration. */
class PolicyOrderTest {

    /** One policy of each phase except filters, in the documented order. */
    private static final List<PolicyConfig> IN_ORDER = List.of(
            config("security_headers", SecurityHeadersConfig.PRESET),
            config("ip", AddressListConfig.ofNetworks(List.of(), List.of(), /* denyAll= */ true, /* closes= */ false)),
            config("tracing", new TracingConfig(TracingConfig.ALL, false, List.of(), true, false)),
            config("limit by client", RequestRateConfig.perClient(new Rate(1, Duration.ofSeconds(1)))),
            config("cors", CorsConfig.of(List.of("https://app.example"))),
            config("basic", BasicConfig.of(List.of())),
            config("any", new CombinationConfig(Mode.ANY, List.of("basic"))),
            config("limit by claim", limitByClaim()),
            config("concurrency", ConcurrencyConfig.perClient(/* limit= */ 1, RequestQueue.NONE)),
            config("cache", CacheConfig.ofMemory(CacheConfig.MIN_MEMORY_BYTES)),
            config("mirror", MirrorConfig.to("next")),
            config("compress", CompressionConfig.gzip()));

    private static PolicyConfig config(String name, PolicyRule rule) {
        return new PolicyConfig(name, rule, /* dryRun= */ false);
    }

    private static RequestRateConfig limitByClaim() {
        return new RequestRateConfig(
                List.of(new Rate(1, Duration.ofSeconds(1))),
                List.of(new LimitKey(LimitKey.Source.CLAIM, "tenant")),
                MissingKey.CLIENT,
                /* exempt= */ List.of(),
                /* countedStatuses= */ Set.of(),
                /* ban= */ Optional.empty(),
                /* keys= */ 100,
                OnFull.ALLOW,
                /* delay= */ Duration.ZERO,
                Headers.NONE,
                /* ipv6PrefixBits= */ 64,
                Scope.NODE);
    }

    private static List<String> order(List<PolicyConfig> configs) {
        try (TestPolicies testing = new TestPolicies()) {
            List<NamedPolicy> policies =
                    Policies.none(testing.environment()).next(configs).all();
            PolicyChain chain = requireNonNull(PolicyChain.of(policies, "route"));
            return chain.steps().stream().map(NamedPolicy::name).toList();
        }
    }

    @Test
    void orderOfTheConfigurationDoesNotMatterBetweenPhases() {
        List<String> documented = IN_ORDER.stream().map(PolicyConfig::name).toList();
        List<PolicyConfig> reversed = new ArrayList<>(IN_ORDER);
        Collections.reverse(reversed);
        int any = reversed.indexOf(IN_ORDER.get(documented.indexOf("any")));
        Collections.swap(reversed, any, any + 1); // `basic` has the same phase, in which the order of the file counts

        assertThat(order(IN_ORDER)).isEqualTo(documented);
        assertThat(order(reversed)).isEqualTo(documented);
    }
}
