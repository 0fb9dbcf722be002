package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.Strategies;
import io.ballast.core.balance.Strategy;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.geo.Geography;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a pool for one configuration; a reload replaces them. Instances are compared by identity.
 *
 * @param members all backends in the order of the configuration, regardless of weight and health
 * @param strategy kept with its state as long as its configuration stays the same
 * @param retryBudgets one for each event loop
 * @param geography supplies the locations of clients; null if they are unknown
 */
record PoolSetup(
        PoolConfig config,
        List<Member> members,
        Strategy strategy,
        List<RetryBudget> retryBudgets,
        Supplier<@Nullable Geography> geography) {

    PoolSetup {
        members = List.copyOf(members);
    }

    static PoolSetup create(
            PoolConfig config, List<Member> members, int shards, Supplier<@Nullable Geography> geography) {
        return new PoolSetup(
                config, members, Strategies.create(config.strategy(), geography), budgets(config, shards), geography);
    }

    /** Returns the setup for the next configuration. */
    PoolSetup withConfig(PoolConfig other, List<Member> others) {
        return new PoolSetup(
                other,
                others,
                other.strategy().equals(config.strategy()) ? strategy : Strategies.create(other.strategy(), geography),
                other.retry().budget().equals(config.retry().budget())
                        ? retryBudgets
                        : budgets(other, retryBudgets.size()),
                geography);
    }

    private static List<RetryBudget> budgets(PoolConfig config, int shards) {
        return IntStream.range(0, shards)
                .mapToObj(shard -> new RetryBudget(config.retry().budget(), shards, System.nanoTime()))
                .toList();
    }

    /**
     * The usable members, selected by current health and weights.
     *
     * @param candidates the members that may get traffic; in panic mode the strategy selects some of them
     * @param healthy the healthy candidates: all candidates, except in panic mode
     */
    record Choice(List<Member> candidates, List<Member> healthy) {

        boolean isPanic() {
            return healthy.size() < candidates.size();
        }
    }

    /** @param isOut whether the pool as a whole takes no traffic */
    Choice choose(boolean isOut) {
        List<Member> inService = members.stream()
                .filter(member -> !isOut)
                .map(Member::withOverriddenWeight)
                .filter(member -> member.weight() > 0)
                .filter(member -> !member.backend().health().state().isTakenOut())
                .filter(member -> member.backend().isResolved())
                .toList();
        List<Member> healthy =
                applyShares(inService.stream().filter(Member::isUsable).toList());
        boolean panic = 100L * healthy.size() < (long) config.panicBelowPercent() * inService.size();
        return new Choice(panic ? applyShares(inService) : healthy, healthy);
    }

    /**
     * Compiles a snapshot from the current health and weights of the backends. Any thread may call it.
     *
     * @param isOut whether the pool as a whole gets no traffic
     */
    PoolSnapshot compile(boolean isOut) {
        Choice now = choose(isOut);
        synchronized (strategy) { // the previous setup may share the strategy and compile at the same time
            if (!now.isPanic() || now.healthy.isEmpty()) {
                return new PoolSnapshot(now, now.candidates, strategy.compile(now.candidates), this);
            }
            return compileInPanic(now);
        }
    }

    private PoolSnapshot compileInPanic(Choice now) {
        Set<Backend> healthy = now.healthy.stream().map(Member::backend).collect(Collectors.toSet());
        List<Member> usable = strategy.panicMembers(now.candidates, healthy);
        return new PoolSnapshot(now, usable, strategy.compile(usable, healthy), this);
    }

    /**
     * Returns the members with weights reduced by slow starts and by the load that agents report; unchanged if all have
     * the same share.
     */
    private static List<Member> applyShares(List<Member> members) {
        int[] tenths = members.stream()
                .mapToInt(member -> member.backend().weightTenths())
                .toArray();
        if (Arrays.stream(tenths).distinct().count() <= 1) {
            return members;
        }
        return IntStream.range(0, tenths.length)
                .mapToObj(i -> members.get(i).withWeight(members.get(i).weight() * tenths[i]))
                .toList();
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
