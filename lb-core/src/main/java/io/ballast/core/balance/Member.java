package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConfig;

/**
 * A backend in its role in a pool.
 *
 * @param backend which
 * @param weight its share relative to its peers, as the file has it until {@link #active}; with 0 it gets no traffic
 * @param priority tier for failover; lower is preferred
 * @param backup whether it is used only when no other member can serve
 * @param region where it is; empty if that is not said
 */
public record Member(Backend backend, int weight, int priority, boolean backup, String region) {

    /** Creates a member that is not a backup and has no region. */
    public Member(Backend backend, int weight, int priority) {
        this(backend, weight, priority, /* backup= */ false, /* region= */ "");
    }

    /** Creates a member from its configuration. */
    public static Member of(Backend backend, BackendConfig config) {
        return new Member(
                backend,
                config.weight(),
                config.priority(),
                config.backup(),
                config.region().orElse(""));
    }

    /** The number of its tier for strategies that separate priorities: backups come last. */
    public int tier() {
        return backup ? BackendConfig.MAX_PRIORITY + 1 + priority : priority;
    }

    /** Returns a copy with another weight. */
    public Member withWeight(int other) {
        return new Member(backend, other, priority, backup, region);
    }

    /** Whether requests may go to it: it has a share, an address, and a state that allows it. */
    public boolean isUsable() {
        return active().weight() > 0 && backend.health().state().isUsable() && backend.isResolved();
    }

    /** Returns a copy with the overridden weight, if there is an override. */
    public Member active() {
        return backend.weightOrder().map(order -> withWeight(order.weight())).orElse(this);
    }
}
