package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConfig;

/**
 * A backend in its role in a pool.
 *
 * @param backend which
 * @param weight its share relative to its peers, as the file has it until {@link #inForce}; with 0 it gets no traffic
 * @param priority tier for failover; lower is preferred
 * @param backup whether it is used only when no other member can serve
 * @param region where it is; empty if that is not said
 */
public record Member(Backend backend, int weight, int priority, boolean backup, String region) {

    /** One that is no backup and in no region. */
    public Member(Backend backend, int weight, int priority) {
        this(backend, weight, priority, /* backup= */ false, /* region= */ "");
    }

    /** A backend as the configuration has it. */
    public static Member of(Backend backend, BackendConfig config) {
        return new Member(
                backend,
                config.weight(),
                config.priority(),
                config.backup(),
                config.region().orElse(""));
    }

    /** The number of its tier where tiers are told apart by priority: backups come behind all others. */
    public int tier() {
        return backup ? BackendConfig.MAX_PRIORITY + 1 + priority : priority;
    }

    /** The same backend with another share. */
    public Member withWeight(int other) {
        return new Member(backend, other, priority, backup, region);
    }

    /** Whether requests may go to it: it has a share, an address, and a state that allows it. */
    public boolean isUsable() {
        return inForce().weight() > 0 && backend.health().state().isUsable() && backend.isResolved();
    }

    /** The same with the weight that an operator has given the backend, if any has. */
    public Member inForce() {
        return backend.weightOrder().map(order -> withWeight(order.weight())).orElse(this);
    }
}
