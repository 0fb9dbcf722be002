package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule that picks a backend, for one pool.
 *
 * <p>Thread safety: {@link #compile} and {@link #panicMembers} of one strategy may be called by different
 * threads, but not at the same time. The code that compiles a pool or a DNS service guarantees this.
 * Compilation runs on background threads; the control thread only publishes the result. All event loops use
 * the pickers concurrently, even while the next picker is being compiled. State that outlives a picker, such
 * as the position in a cycle, is kept in the strategy and shared by its pickers. State of a backend is kept
 * in {@link io.ballast.core.backend.Backend}.
 */
public interface Strategy {

    StrategyKind kind();

    /** Returns the tokens that bind clients to their backends; null if the strategy uses none. */
    default @Nullable SessionTokens tokens() {
        return null;
    }

    /** Returns the check times that the strategy uses; null if it uses none. */
    default @Nullable CheckTimes checkTimes() {
        return null;
    }

    /**
     * Builds the picker for a set of members.
     *
     * @param members usable members in the order of the configuration, each of weight 1 or more; may be empty
     */
    Picker compile(List<Member> members);

    /**
     * Returns the members that get traffic in panic mode, that is, while too few members are healthy. Only
     * healthy members determine which tiers, regions and groups are used; unhealthy members of the same tiers,
     * regions and groups also serve. Called before {@link #compile}.
     *
     * @param members the members that may get traffic, in the order of the configuration
     * @param healthy the healthy members; not empty
     * @return all healthy members, and some or all of the unhealthy ones, in the order of {@code members}
     */
    default List<Member> panicMembers(List<Member> members, Set<Backend> healthy) {
        return members;
    }

    /**
     * Builds the picker for panic mode.
     *
     * @param members the members returned by {@link #panicMembers}
     * @param healthy the backends of those members that are healthy; not empty
     */
    default Picker compile(List<Member> members, Set<Backend> healthy) {
        return compile(members);
    }
}
