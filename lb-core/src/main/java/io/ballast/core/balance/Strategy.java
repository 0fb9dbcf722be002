package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule that picks a backend, for one pool.
 *
 * <p>Thread safety: {@link #compile} and {@link #panicMembers} of one strategy are called by different threads, but never by
 * two at once: the code that compiles a pool or a DNS service ensures that. It runs on background threads; the control
 * thread only publishes the result. The pickers are used by all event loops at once, also while the next one is being
 * compiled. State that outlives a picker, such as the position in a cycle, is kept in the strategy and shared by its
 * pickers; state of a backend is kept in {@link io.ballast.core.backend.Backend}.
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
     * Returns the members that take traffic in panic mode, that is, while too few members are healthy. Only
     * healthy members determine which tiers, regions and groups are used; unhealthy members also serve there.
     * Called before {@link #compile}.
     *
     * @param members the members that may take traffic, in the order of the configuration
     * @param healthy the healthy members; not empty
     * @return all healthy members, and some or all of the others, in the same order
     */
    default List<Member> panicMembers(List<Member> members, Set<Backend> healthy) {
        return members;
    }

    /**
     * Builds the picker for panic mode.
     *
     * @param members the members returned by {@link #panicMembers}
     * @param healthy the healthy ones of these members; not empty
     */
    default Picker compile(List<Member> members, Set<Backend> healthy) {
        return compile(members);
    }
}
