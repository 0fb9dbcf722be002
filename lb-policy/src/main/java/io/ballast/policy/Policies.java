package io.ballast.policy;

import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicySource;
import io.ballast.http.policy.RecentRefusals;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.PoolPolicies;
import io.ballast.policy.work.PolicyEnvironment;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The policies of a configuration by name. The set of policies is immutable, but each policy has its own state. */
public final class Policies implements PolicySource {

    private final PolicyEnvironment environment;
    private final PolicyFactory factory;
    private final Map<String, Entry> entries;

    private record Entry(PolicyConfig config, NamedPolicy policy) {}

    private Policies(PolicyEnvironment environment, Map<String, Entry> entries) {
        this.environment = environment;
        this.factory = new PolicyFactory(environment);
        this.entries = entries;
    }

    /** Returns no policies. */
    public static Policies none(PolicyEnvironment environment) {
        return new Policies(environment, Map.of());
    }

    /**
     * Returns the policies of the next configuration. A policy keeps its state while its rule is unchanged, and its
     * counters and refusals as long as its name is configured.
     *
     * @throws IllegalStateException if a filter cannot be created; the current policies then stay unchanged
     */
    public Policies next(Collection<PolicyConfig> configs) {
        PolicyCompiler compiler = new PolicyCompiler(configs, this::current, factory);
        Map<String, Entry> next = new LinkedHashMap<>();
        try {
            for (PolicyConfig config : configs) {
                next.put(config.name(), new Entry(config, named(config, compiler.policy(config.name()))));
            }
        } catch (RuntimeException e) {
            compiler.discard();
            throw e;
        }
        return new Policies(environment, next);
    }

    /** Returns the current policy of an unchanged rule; null if the rule is new or changed. */
    private @Nullable Policy current(PolicyConfig config) {
        Entry before = entries.get(config.name());
        return before != null && before.config().rule().equals(config.rule())
                ? before.policy().policy()
                : null;
    }

    private NamedPolicy named(PolicyConfig config, Policy policy) {
        Entry before = entries.get(config.name());
        Counters<PolicyCounter> counters = before == null
                ? new Counters<>(PolicyCounter.class, environment.eventLoops())
                : before.policy().counters();
        RecentRefusals refusals =
                before == null ? new RecentRefusals() : before.policy().refusals();
        return new NamedPolicy(config.name(), config.rule().kind(), policy, config.dryRun(), counters, refusals);
    }

    @Override
    public List<NamedPolicy> find(List<String> names) {
        return names.stream().map(this::find).toList();
    }

    @Override
    public List<NamedPolicy> ofPool(String pool) {
        return PoolPolicies.names(pool).stream()
                .filter(entries::containsKey)
                .map(this::find)
                .toList();
    }

    private NamedPolicy find(String name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw new IllegalArgumentException("unknown policy: " + name);
        }
        return entry.policy();
    }

    /** Stops the background work of the policies that {@code next} does not contain. */
    void closeUnlessIn(Policies next) {
        Set<Policy> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        next.all().forEach(policy -> kept.add(policy.policy()));
        all().stream()
                .map(NamedPolicy::policy)
                .filter(policy -> !kept.contains(policy))
                .forEach(Policy::close);
    }

    /** The policies in the order of the configuration. */
    public List<NamedPolicy> all() {
        return entries.values().stream().map(Entry::policy).toList();
    }
}
