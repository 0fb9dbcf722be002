package io.ballast.core.pool;

import io.ballast.core.balance.Member;
import io.ballast.core.balance.Strategies;
import io.ballast.core.balance.Strategy;
import io.ballast.core.config.PoolConfig;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a pool is made of by one configuration: the next one gives it another. Compared by identity.
 *
 * @param members every backend in the order of the configuration, whatever its weight or health
 * @param strategy kept with its positions as long as the configuration asks for the same
 * @param retryBudgets one for each event loop
 */
record PoolSetup(PoolConfig config, List<Member> members, Strategy strategy, List<RetryBudget> retryBudgets) {

    PoolSetup {
        members = List.copyOf(members);
    }

    static PoolSetup first(PoolConfig config, List<Member> members, int shards) {
        return new PoolSetup(config, members, Strategies.create(config.strategy()), budgets(config, shards));
    }

    /** What comes after this one. */
    PoolSetup next(PoolConfig other, List<Member> others) {
        return new PoolSetup(
                other,
                others,
                other.strategy().equals(config.strategy()) ? strategy : Strategies.create(other.strategy()),
                other.retry().budget().equals(config.retry().budget())
                        ? retryBudgets
                        : budgets(other, retryBudgets.size()));
    }

    private static List<RetryBudget> budgets(PoolConfig config, int shards) {
        return IntStream.range(0, shards)
                .mapToObj(shard -> new RetryBudget(config.retry().budget(), shards, System.nanoTime()))
                .toList();
    }

    /** Compiles a snapshot from the backends' present health; any thread. */
    PoolSnapshot compile() {
        List<Member> usable = members.stream()
                .filter(member -> member.weight() > 0)
                .filter(member -> member.backend().health().state().isUsable())
                .filter(member -> member.backend().isResolved())
                .toList();
        synchronized (strategy) { // which the setup before this one may be compiling with
            return new PoolSnapshot(usable, strategy.compile(usable), this);
        }
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
