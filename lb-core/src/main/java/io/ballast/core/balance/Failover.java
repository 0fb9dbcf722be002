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
 * Uses the members of the lowest tier number that has any, balanced by another strategy. When all of these are excluded or
 * full, the request goes on to the next tier. Tiers are the {@linkplain Member#tier priorities} with the failover strategy;
 * with every other one there are two, of which the second holds the {@linkplain Member#backup backups}.
 *
 * <p>Every tier has a strategy of its own, which it keeps when members come and go.
 *
 * <p>A tier that comes back while another one serves has to last for a while before it is preferred again:
 *
 * <pre>
 *   tier 0   up ──┐         ┌──┐   ┌───────────────────────
 *   tier 1   up ──┼─────────┼──┼───┼───────────────────────
 *   used     0    │ 1                          │ 0
 *                                   └ fail back ┘
 * </pre>
 *
 * The time is looked at by each pick, so that no timer is needed. A tier that is held back still serves when no other can.
 *
 * <p>Cost: that of the inner strategy, since a tier that is alone is asked directly; while a tier is full, that of walking it
 * in addition.
 */
final class Failover implements Strategy {

    private final StrategyKind kind;
    private final ToIntFunction<Member> tierOf;
    private final Supplier<Strategy> within;
    private final long failBackNanos;
    private final LongSupplier nanoTime;
    private final @Nullable CheckTimes checkTimes;
    private final Map<Integer, Strategy> strategies = new HashMap<>();
    private final Map<Integer, Long> heldUntil = new HashMap<>();

    /** The tiers that had members when this was compiled last; null before the first time. */
    private @Nullable NavigableSet<Integer> before;

    /**
     * @param tierOf the number of a member's tier
     * @param within makes the strategy of a tier
     * @param failBack how long a tier that came back must last until it is preferred again
     * @param checkTimes what the strategies of the tiers go by; null if they do not
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
        this.within = within;
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
            hold(new TreeSet<>(tiers.keySet()));
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
    public List<Member> inPanic(List<Member> members, Set<Backend> healthy) {
        Set<Member> used = new HashSet<>();
        Groups.withHealthy(members, healthy, tierOf::applyAsInt).stream()
                .collect(Collectors.groupingBy(tierOf::applyAsInt))
                .forEach((tier, own) -> used.addAll(strategy(tier).inPanic(own, healthy)));
        return members.stream().filter(used::contains).toList();
    }

    /** Notes which tiers came back while a less preferred one served. */
    private void hold(NavigableSet<Integer> now) {
        heldUntil.keySet().retainAll(now);
        heldUntil.keySet().removeIf(tier -> now.higher(tier) == null); // nobody else can serve
        NavigableSet<Integer> previous = before;
        if (previous != null) {
            for (int tier : now) {
                if (!previous.contains(tier) && previous.higher(tier) != null && now.higher(tier) != null) {
                    heldUntil.put(tier, nanoTime.getAsLong() + failBackNanos);
                }
            }
        }
        before = now;
    }

    private Tier tier(int number, List<Member> members) {
        Picker picker = strategy(number).compile(members);
        Long until = heldUntil.get(number);
        return new Tier(picker, until != null, until == null ? 0 : until);
    }

    private Strategy strategy(int tier) {
        return strategies.computeIfAbsent(tier, unused -> within.get());
    }

    /**
     * The members of one tier.
     *
     * @param held whether it comes after all others until a time
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

    /** As above, but uses held-back members after all others. */
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
