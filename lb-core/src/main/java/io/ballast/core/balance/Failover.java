package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Uses the members of the lowest-numbered tier that is not empty, balanced by another strategy. If all of
 * these members are excluded or full, the request goes to the next tier. With the failover strategy, tiers
 * are the {@linkplain Member#tier priorities}. With every other strategy there are two tiers; the second tier
 * holds the {@linkplain Member#backup backups}.
 *
 * <p>Every tier has its own strategy instance, which it keeps when members are added or removed.
 *
 * <p>A tier that recovers while another one serves must stay available for some time before it is preferred
 * again:
 *
 * <pre>
 *   tier 0   up ──┐         ┌──┐   ┌───────────────────────
 *   tier 1   up ──┼─────────┼──┼───┼───────────────────────
 *   used     0    │ 1                          │ 0
 *                                   └ fail back ┘
 * </pre>
 *
 * Each pick reads the time, so that no timer is needed. A tier that is held back still serves if no other
 * tier can.
 *
 * <p>Cost: the cost of the inner strategy, because a single tier is used directly. While a tier is full, the cost of
 * trying its members is added.
 */
final class Failover implements Strategy {

    private final StrategyKind kind;
    private final ToIntFunction<Member> tierOf;
    private final Supplier<Strategy> innerStrategy;
    private final long failBackNanos;
    private final LongSupplier nanoTime;
    private final @Nullable CheckTimes checkTimes;
    private final Map<Integer, Strategy> strategies = new HashMap<>();
    private final Map<Integer, Long> heldUntil = new HashMap<>();

    /** The tiers that had members at the last compilation; null before the first one. */
    private @Nullable NavigableSet<Integer> previousTiers;

    /**
     * @param tierOf the number of a member's tier
     * @param within creates the strategy of a tier
     * @param failBack how long a recovered tier must stay available until it is preferred again
     * @param checkTimes the check times that the strategies of the tiers use; null if they use none
     */
    Failover(
            StrategyKind kind,
            ToIntFunction<Member> tierOf,
            Supplier<Strategy> within,
            Duration failBack,
            LongSupplier nanoTime,
            @Nullable CheckTimes checkTimes) {
        this.kind = kind;
        this.tierOf = tierOf;
        this.innerStrategy = within;
        this.failBackNanos = failBack.toNanos();
        this.nanoTime = nanoTime;
        this.checkTimes = checkTimes;
    }

    @Override
    public StrategyKind kind() {
        return kind;
    }

    @Override
    public @Nullable CheckTimes checkTimes() {
        return checkTimes;
    }

    @Override
    public Picker compile(List<Member> members) {
        NavigableMap<Integer, List<Member>> tiers =
                members.stream().collect(Collectors.groupingBy(tierOf::applyAsInt, TreeMap::new, Collectors.toList()));
        if (failBackNanos > 0) {
            holdBackRecoveredTiers(new TreeSet<>(tiers.keySet()));
        }
        Tier[] compiled = tiers.entrySet().stream()
                .map(tier -> tier(tier.getKey(), tier.getValue()))
                .toArray(Tier[]::new);
        return switch (compiled.length) {
            case 0 -> Picker.NONE;
            case 1 -> compiled[0].picker;
            default -> heldUntil.isEmpty() ? new InOrder(compiled) : new Holding(compiled);
        };
    }

    @Override
    public List<Member> panicMembers(List<Member> members, Set<Backend> healthy) {
        Set<Member> used = new HashSet<>();
        Groups.withHealthy(members, healthy, tierOf::applyAsInt).stream()
                .collect(Collectors.groupingBy(tierOf::applyAsInt))
                .forEach((tier, own) -> used.addAll(strategy(tier).panicMembers(own, healthy)));
        return members.stream().filter(used::contains).toList();
    }

    /** Delays the use of each tier that has recovered while a less preferred tier was serving. */
    private void holdBackRecoveredTiers(NavigableSet<Integer> now) {
        heldUntil.keySet().retainAll(now);
        heldUntil.keySet().removeIf(tier -> now.higher(tier) == null); // the least preferred tier is never delayed
        NavigableSet<Integer> previous = previousTiers;
        if (previous != null) {
            for (int tier : now) {
                if (!previous.contains(tier) && previous.higher(tier) != null && now.higher(tier) != null) {
                    heldUntil.put(tier, nanoTime.getAsLong() + failBackNanos);
                }
            }
        }
        previousTiers = now;
    }

    private Tier tier(int number, List<Member> members) {
        Picker picker = strategy(number).compile(members);
        Long until = heldUntil.get(number);
        return new Tier(picker, until != null, until == null ? 0 : until);
    }

    private Strategy strategy(int tier) {
        return strategies.computeIfAbsent(tier, unused -> innerStrategy.get());
    }

    /**
     * One tier in compiled form.
     *
     * @param held whether the tier is held back: until {@code untilNanos}, it is tried only after all other tiers
     */
    private record Tier(Picker picker, boolean held, long untilNanos) {

        boolean isHeld(long nowNanos) {
            return held && nowNanos - untilNanos < 0;
        }
    }

    /** Tries the tiers in order of preference. */
    private static final class InOrder implements Picker {

        private final Picker[] pickers;

        InOrder(Tier[] tiers) {
            this.pickers = new Picker[tiers.length];
            for (int i = 0; i < tiers.length; i++) {
                pickers[i] = tiers[i].picker;
            }
        }

        @Override
        public @Nullable Backend pick(PickContext context) {
            for (Picker picker : pickers) {
                Backend backend = picker.pick(context);
                if (backend != null) {
                    return backend;
                }
            }
            return null;
        }
    }

    /** Tries the tiers in order of preference. Recovered tiers that are still held back are tried last. */
    private static final class Holding implements Picker {

        private final Tier[] tiers;

        Holding(Tier[] tiers) {
            this.tiers = tiers;
        }

        @Override
        public @Nullable Backend pick(PickContext context) {
            long now = context.nowNanos();
            Backend backend = pick(context, now, /* held= */ false);
            return backend == null ? pick(context, now, /* held= */ true) : backend;
        }

        private @Nullable Backend pick(PickContext context, long now, boolean held) {
            for (Tier tier : tiers) {
                if (tier.isHeld(now) == held) {
                    Backend backend = tier.picker.pick(context);
                    if (backend != null) {
                        return backend;
                    }
                }
            }
            return null;
        }
    }
}
