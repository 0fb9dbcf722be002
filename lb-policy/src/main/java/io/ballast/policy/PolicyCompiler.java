package io.ballast.policy;

import io.ballast.http.policy.Policy;
import io.ballast.policy.combination.CombinationPolicy;
import io.ballast.policy.config.CombinationConfig;
import io.ballast.policy.config.PolicyConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates the policies of one configuration. A combination contains the policy objects that its names refer to, not
 * copies, so that all uses of a name share one state. Confined to one thread.
 */
final class PolicyCompiler {

    private final Map<String, PolicyConfig> configs = new HashMap<>();
    private final Map<String, Policy> policies = new HashMap<>();
    private final List<Policy> created = new ArrayList<>();
    private final Function<PolicyConfig, @Nullable Policy> current;
    private final PolicyFactory factory;

    /** @param current returns the policy of an unchanged rule, which keeps its state; null if there is none */
    PolicyCompiler(
            Collection<PolicyConfig> configs, Function<PolicyConfig, @Nullable Policy> current, PolicyFactory factory) {
        configs.forEach(config -> this.configs.put(config.name(), config));
        this.current = current;
        this.factory = factory;
    }

    /**
     * Returns the policy with the given name. The configuration has checked that each name exists, and that
     * combinations have no cycles.
     */
    Policy policy(String name) {
        Policy known = policies.get(name);
        if (known != null) {
            return known;
        }
        PolicyConfig config = configs.get(name);
        if (config == null) {
            throw new IllegalArgumentException("unknown policy: " + name);
        }
        Policy made = create(config);
        policies.put(name, made);
        return made;
    }

    private Policy create(PolicyConfig config) {
        if (config.rule() instanceof CombinationConfig combination) {
            return new CombinationPolicy(
                    combination.mode(),
                    combination.policies().stream().map(this::policy).toList());
        }
        Policy unchanged = current.apply(config);
        if (unchanged != null) {
            return unchanged;
        }
        Policy made = factory.create(config);
        created.add(made);
        return made;
    }

    /** Closes the policies that this object has created. Called when another policy cannot be created. */
    void discard() {
        created.forEach(Policy::close);
    }
}
