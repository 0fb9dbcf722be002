package io.ballast.config.keys.policy;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.PolicyRule;
import io.ballast.policy.config.RequestRateConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The keys of {@code policies.NAME}. */
public final class PolicyKeys {

    private static final ShapeBuilder<PolicyConfig> KEYS = Shape.named(
            "policy",
            "A policy decides about requests before they are routed to a backend. Listeners, routes and pools name"
                    + " their policies under `policies`; all of them together share the state of a policy.");

    private static final Key<RequestRateConfig> RATE_LIMIT = KEYS.optional(
            "rate_limit",
            RequestRateKeys.RATE_LIMIT,
            "limits the request rate of each client, or of another key",
            rule(RequestRateConfig.class));
    private static final Key<AddressListConfig> IP = KEYS.optional(
            "ip", AddressListKeys.IP, "allows and denies clients by address", rule(AddressListConfig.class));
    private static final Key<Boolean> DRY_RUN = KEYS.optional(
            "dry_run",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: the policy is evaluated and counted, but refuses no request",
            PolicyConfig::dryRun);

    private static final List<Key<? extends PolicyRule>> KINDS = List.of(RATE_LIMIT, IP);

    static {
        KEYS.exactlyOne(KINDS.toArray(Key[]::new));
    }

    public static final Type<PolicyConfig> POLICY = KEYS.build(PolicyKeys::build);

    private PolicyKeys() {}

    private static <R extends PolicyRule> Function<PolicyConfig, Optional<R>> rule(Class<R> type) {
        return policy -> Optional.of(policy.rule()).filter(type::isInstance).map(type::cast);
    }

    private static PolicyConfig build(Values values) {
        Key<? extends PolicyRule> kind =
                KINDS.stream().filter(values::has).findFirst().orElseThrow();
        return new PolicyConfig(values.name(), values.get(kind), values.get(DRY_RUN));
    }
}
