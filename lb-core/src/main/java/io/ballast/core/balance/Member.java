package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConfig;
import java.util.OptionalInt;

/**
 * A backend in its role as a member of a pool.
 *
 * @param backend the backend
 * @param weight its share relative to the other members; with 0 the member gets no traffic. It is the
 *     weight in the file, or an overridden weight in a copy that {@link #withOverriddenWeight} returns
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

    /** Returns the member's tier for strategies that use priorities; backups come last. */
    public int tier() {
        return backup ? BackendConfig.MAX_PRIORITY + 1 + priority : priority;
    }

    /** Returns a copy with the given weight. */
    public Member withWeight(int other) {
        return new Member(backend, other, priority, backup, region);
    }

    /** Returns whether the member may get requests: it has a weight above 0, an address and a usable state. */
    public boolean isUsable() {
        return withOverriddenWeight().weight() > 0 && backend.health().state().isUsable() && backend.isResolved();
    }

    /**
     * Returns a copy with the weight that an operator or an external source has set, or this member if its weight is
     * not overridden.
     */
    public Member withOverriddenWeight() {
        OptionalInt overridden = backend.overriddenWeight();
        return overridden.isPresent() ? withWeight(overridden.getAsInt()) : this;
    }
}
