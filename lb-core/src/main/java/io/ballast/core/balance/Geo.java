package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.geo.Geography;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.geo.Regions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Uses the members of the nearest region that has members, balanced by another strategy. The client's own
 * region comes first, then its fallbacks, then the other regions by distance ({@link Regions#order}), and
 * then members without a region. If all members of a region are excluded or full, the request goes to the
 * next region. A client without a location, such as one on a Unix socket, belongs to the default region.
 *
 * <p>Every region has its own strategy instance, which it keeps when members are added or removed.
 *
 * <p>Cost: a look-up of the address ({@link RegionTable}), and the cost of the inner strategy.
 */
final class Geo implements Strategy {

    private static final String NOWHERE = "";

    private final Supplier<@Nullable Geography> geography;
    private final Supplier<Strategy> innerStrategy;
    private final Map<String, Strategy> strategies = new HashMap<>();

    /**
     * @param geography read when members are compiled; supplies null if the locations of clients are unknown
     * @param within creates the strategy that selects among the members of one region
     */
    Geo(Supplier<@Nullable Geography> geography, Supplier<Strategy> within) {
        this.geography = geography;
        this.innerStrategy = within;
    }

    @Override
    public StrategyKind kind() {
        return StrategyKind.GEO;
    }

    @Override
    public Picker compile(List<Member> members) {
        Map<String, List<Member>> byRegion = members.stream()
                .collect(Collectors.groupingBy(Member::region, LinkedHashMap::new, Collectors.toList()));
        Map<String, Picker> pickers = new LinkedHashMap<>();
        byRegion.forEach((region, own) -> pickers.put(region, compile(region, own)));
        if (pickers.isEmpty()) {
            return Picker.NONE;
        }
        if (pickers.size() == 1) {
            return pickers.values().iterator().next();
        }
        Geography known = geography.get();
        if (known == null) {
            Picker[] inOrder = pickers.values().toArray(Picker[]::new);
            return context -> first(inOrder, context);
        }
        Picker[][] orders = orders(known.regions(), pickers);
        return context -> first(orders[region(known, context)], context);
    }

    @Override
    public List<Member> panicMembers(List<Member> members, Set<Backend> healthy) {
        return Groups.withHealthy(members, healthy, Member::region);
    }

    private Picker compile(String region, List<Member> members) {
        return strategies.computeIfAbsent(region, unused -> innerStrategy.get()).compile(members);
    }

    /**
     * Returns, for each client region, the pickers in order of preference. Regions with equal orders share an
     * array.
     */
    private static Picker[][] orders(Regions regions, Map<String, Picker> pickers) {
        Map<List<Picker>, Picker[]> shared = new HashMap<>();
        Picker[][] orders = new Picker[regions.count()][];
        for (int client = 0; client < orders.length; client++) {
            Map<String, Picker> left = new LinkedHashMap<>(pickers);
            Picker nowhere = left.remove(NOWHERE);
            List<Picker> order = new ArrayList<>();
            for (int region : regions.order(client)) {
                Picker own = left.remove(regions.name(region));
                if (own != null) {
                    order.add(own);
                }
            }
            order.addAll(left.values()); // members in regions that were removed from the geography
            if (nowhere != null) {
                order.add(nowhere);
            }
            orders[client] = shared.computeIfAbsent(order, same -> same.toArray(Picker[]::new));
        }
        return orders;
    }

    private static int region(Geography known, PickContext context) {
        long high = context.addressHigh();
        long low = context.addressLow();
        return (high | low) == 0
                ? known.regions().defaultRegion()
                : RegionTable.region(known.current().findIpv6(high, low));
    }

    private static @Nullable Backend first(Picker[] pickers, PickContext context) {
        for (Picker picker : pickers) {
            Backend backend = picker.pick(context);
            if (backend != null) {
                return backend;
            }
        }
        return null;
    }
}
