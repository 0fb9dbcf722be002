package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.CheckTime;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.config.StrategyKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Uses the members with the fastest checks, balanced by another strategy. Members count as equally near and
 * form one group if their {@linkplain CheckTime smoothed times} differ by no more than the hysteresis, or by
 * less than a millisecond. If all members of a group are excluded or full, the request goes to the next
 * nearest group:
 *
 * <pre>
 *   time     0.4 ms  0.9 ms  not checked yet │ 11 ms  13 ms │ 90 ms │ above max_latency │ checks failed
 *   group                  0                 │      1       │   2   │         3         │       4
 * </pre>
 *
 * <p>Members that are not checked yet belong to the nearest group. Otherwise the first checked member would
 * receive all requests after a start.
 *
 * <p>Groups stay unchanged for the hold time. They change earlier only if the first check time of a member
 * becomes known, a member joins, or a member becomes too slow. So fluctuating times do not move requests back
 * and forth.
 *
 * <p>Cost: the cost of the inner strategy. While groups are full, the cost of trying their members is added. Compiling
 * takes O(n log n).
 */
final class Latency implements Strategy {

    /**
     * The minimum difference between the check durations of two backends. Smaller differences are ignored,
     * because they depend on when a check ran rather than on the backend's distance.
     */
    private static final double MIN_DIFFERENCE_NANOS = 1e6;

    private static final int UNCHECKED = -1;
    private static final int NEAREST = 0;
    private static final int TOO_SLOW = Integer.MAX_VALUE - 1;
    private static final int UNANSWERED = Integer.MAX_VALUE;

    private final CheckTimes times;
    private final Supplier<Strategy> innerStrategy;
    private final Map<Integer, Strategy> strategies = new HashMap<>();
    private volatile @Nullable Order lastOrder;

    /**
     * The members and their latency groups, from which a picker is compiled.
     *
     * @param groups the group number of each member, or a marker for unchecked members; the nearest group has the
     *     lowest number
     * @param sinceNanos the time at which the groups were formed
     */
    private record Order(List<Member> members, Map<Backend, Integer> groups, long sinceNanos) {}

    /** @param within creates the strategy of a group */
    Latency(CheckTimes times, Supplier<Strategy> within) {
        this.times = times;
        this.innerStrategy = within;
        times.addStrategy(this);
    }

    @Override
    public StrategyKind kind() {
        return StrategyKind.LATENCY;
    }

    @Override
    public Picker compile(List<Member> members) {
        Order order = order(members);
        NavigableMap<Integer, List<Member>> byGroup = new TreeMap<>();
        for (Member member : members) {
            byGroup.computeIfAbsent(group(order.groups, member), unused -> new ArrayList<>())
                    .add(member);
        }
        List<Picker> pickers = new ArrayList<>();
        for (List<Member> group : byGroup.values()) {
            // The key is the index of the group, so that there are never more strategies than groups.
            pickers.add(strategies
                    .computeIfAbsent(pickers.size(), unused -> innerStrategy.get())
                    .compile(group));
        }
        return switch (pickers.size()) {
            case 0 -> Picker.NONE;
            case 1 -> pickers.get(0);
            default -> inOrder(pickers.toArray(Picker[]::new));
        };
    }

    @Override
    public List<Member> panicMembers(List<Member> members, Set<Backend> healthy) {
        Order order = order(members);
        return Groups.withHealthy(members, healthy, member -> group(order.groups, member));
    }

    /** Returns the current order; computes a new order if the current one is no longer valid. */
    private Order order(List<Member> members) {
        Order before = lastOrder;
        Order order = before != null && isStillValid(before, members)
                ? new Order(List.copyOf(members), before.groups, before.sinceNanos)
                : new Order(List.copyOf(members), groups(members), times.nowNanos());
        lastOrder = order;
        return order;
    }

    private static Picker inOrder(Picker[] pickers) {
        return context -> {
            for (Picker picker : pickers) {
                Backend backend = picker.pick(context);
                if (backend != null) {
                    return backend;
                }
            }
            return null;
        };
    }

    /** Returns whether {@link #compile} would form different groups now. */
    boolean isStale() {
        Order order = lastOrder;
        return order != null
                && !isStillValid(order, order.members)
                && !groups(order.members).equals(order.groups);
    }

    /** Whether the existing groups are still valid. */
    private boolean isStillValid(Order order, List<Member> members) {
        return times.nowNanos() - order.sinceNanos < times.config().hold().toNanos()
                && members.stream().allMatch(member -> isStillValid(order.groups, member));
    }

    private boolean isStillValid(Map<Backend, Integer> groups, Member member) {
        Integer group = groups.get(member.backend());
        if (group == null) {
            return false;
        }
        int kind = kind(nanos(member));
        return kind == NEAREST
                ? group >= NEAREST && group != UNANSWERED // a member that is too slow keeps its group for the hold time
                : group == kind;
    }

    /**
     * Returns the latency group of a member with this check time. The time alone determines every group except
     * {@code NEAREST}; for a member of that group, the result also depends on the other members.
     */
    private int kind(double nanos) {
        if (Double.isNaN(nanos)) {
            return UNCHECKED;
        }
        if (Double.isInfinite(nanos)) {
            return UNANSWERED;
        }
        return times.config().maxLatency().filter(max -> nanos > max.toNanos()).isPresent() ? TOO_SLOW : NEAREST;
    }

    private Map<Backend, Integer> groups(List<Member> members) {
        List<Member> sorted = new ArrayList<>();
        Map<Backend, Integer> groups = new HashMap<>();
        Map<Backend, Double> known = new HashMap<>(); // each time is read only once, because it may change
        for (Member member : members) {
            double nanos = nanos(member);
            int kind = kind(nanos);
            if (kind != NEAREST) {
                groups.put(member.backend(), kind);
            } else {
                known.put(member.backend(), nanos);
                sorted.add(member);
            }
        }
        sorted.sort(Comparator.comparingDouble(member -> known.getOrDefault(member.backend(), 0.0)));
        LatencyConfig config = times.config();
        double part = 1 - config.hysteresisPercent() / 100.0;
        int group = NEAREST;
        double fastest = Double.NaN;
        for (Member member : sorted) {
            double nanos = known.getOrDefault(member.backend(), 0.0);
            if (Double.isNaN(fastest)) {
                fastest = nanos;
            } else if (fastest < nanos * part && nanos - fastest >= MIN_DIFFERENCE_NANOS) {
                fastest = nanos;
                group++;
            }
            groups.put(member.backend(), group);
        }
        return groups;
    }

    private static int group(Map<Backend, Integer> groups, Member member) {
        return Math.max(groups.getOrDefault(member.backend(), UNANSWERED), NEAREST);
    }

    private static double nanos(Member member) {
        return member.backend().checkTime().nanos();
    }
}
