package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConfig;

/**
 * A backend in its role in a pool.
 *
 * @param backend the backend
 * @param weight its share relative to its peers, as in the file until {@link #withOverriddenWeight}; with 0 it gets no
 *     traffic
 * @param priority tier for failover; lower is preferred
 * @param backup whether it is used only when no other member can serve
 * @param region its region; empty if none is configured
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

    /** Returns whether the member may get requests: it has a weight above 0, an address and a usable state. */
    public boolean isUsable() {
        return withOverriddenWeight().weight() > 0 && backend.health().state().isUsable() && backend.isResolved();
    }

    /** Returns a copy with the overridden weight, if there is an override. */
    public Member withOverriddenWeight() {
        return backend.weightOverride().map(order -> withWeight(order.weight())).orElse(this);
    }
}
