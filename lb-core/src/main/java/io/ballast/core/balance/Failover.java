package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Uses the members of the lowest {@linkplain Member#priority priority} number that has any, balanced by another
 * strategy. When all of these are excluded or full, the request goes on to the next tier.
 *
 * <p>Every tier has a strategy of its own, which it keeps when members come and go.
 *
 * <p>Cost: that of the inner strategy; while a tier is full, that of walking it in addition.
 */
final class Failover implements Strategy {

    private final Supplier<Strategy> within;
    private final Map<Integer, Strategy> strategies = new HashMap<>();

    /** @param within makes the strategy of a tier */
    Failover(Supplier<Strategy> within) {
        this.within = within;
    }

    @Override
    public StrategyKind kind() {
        return StrategyKind.FAILOVER;
    }

    @Override
    public Picker compile(List<Member> members) {
        Map<Integer, List<Member>> tiers =
                members.stream().collect(Collectors.groupingBy(Member::priority, TreeMap::new, Collectors.toList()));
        List<Picker> pickers = tiers.entrySet().stream()
                .map(tier -> strategy(tier.getKey()).compile(tier.getValue()))
                .toList();
        return switch (pickers.size()) {
            case 0 -> Picker.NONE;
            case 1 -> pickers.get(0);
            default -> new Tiers(pickers.toArray(Picker[]::new));
        };
    }

    private Strategy strategy(int priority) {
        return strategies.computeIfAbsent(priority, unused -> within.get());
    }

    /** Asks the tiers one after the other, the preferred one first. */
    private static final class Tiers implements Picker {

        private final Picker[] pickers;

        Tiers(Picker[] pickers) {
            this.pickers = pickers;
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
}
