package io.ballast.dns.zone.service;

import io.ballast.core.geo.Regions;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.zone.pool.PoolView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Selects the target of the client's region. If none of its addresses is healthy, the target of the next
 * region replaces it, in the order of preference that the {@code geo} configuration defines. Clients of an
 * unlisted region get the target for all other regions first. For all other clients, that target comes last.
 */
final class RegionTarget extends TargetBranch {

    static final int NONE = -1;

    private final Regions regions;
    /** The targets to try for clients of each region, in order. */
    private final List<int[]> orders;

    private final Map<Integer, Integer> regionOf = new HashMap<>();
    private final int defaultTarget;

    /**
     * Creates the target.
     *
     * @param places indexes of the regions' targets in {@code inside}, by the region's id
     * @param otherwise index of the target for all other regions; {@link #NONE} if there is none
     */
    RegionTarget(
            Thresholds thresholds, List<Target> inside, Regions regions, Map<Integer, Integer> places, int otherwise) {
        super(thresholds, inside);
        this.regions = regions;
        this.orders = new ArrayList<>();
        this.defaultTarget = otherwise;
        places.forEach((region, place) -> regionOf.put(place, region));
        for (int region = 0; region < regions.count(); region++) {
            orders.add(order(region, places));
        }
    }

    private int[] order(int region, Map<Integer, Integer> places) {
        List<Integer> order = new ArrayList<>();
        if (defaultTarget != NONE && !places.containsKey(region)) {
            order.add(defaultTarget);
        }
        for (int next : regions.order(region)) {
            Integer place = places.get(next);
            if (place != null) {
                order.add(place);
            }
        }
        if (defaultTarget != NONE && places.containsKey(region)) {
            order.add(defaultTarget);
        }
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    CompiledTarget choose(List<CompiledTarget> each, PoolView view) {
        int[] eligible = eligible(children(), each);
        if (eligible.length == 0) {
            return CompiledTarget.nothing(0);
        }
        boolean[] isEligible = new boolean[each.size()];
        for (int i : eligible) {
            isEligible[i] = true;
        }
        List<CompiledTarget> byRegion = new ArrayList<>();
        for (int[] order : orders) {
            byRegion.add(each.get(first(order, isEligible)));
        }
        CompiledTarget any = byRegion.get(0);
        if (byRegion.stream().allMatch(any::equals)) {
            return any;
        }
        List<AnswerSource> sources =
                byRegion.stream().map(CompiledTarget::requireSource).toList();
        return new CompiledTarget(
                AnswerSource.byRegion(sources, regions.defaultRegion()),
                region -> byRegion.get(region).addresses().apply(region),
                0,
                0);
    }

    /**
     * Returns the index of the first eligible target in {@code order}. An order contains every target, except
     * that the default target may be missing.
     */
    private static int first(int[] order, boolean[] isEligible) {
        for (int place : order) {
            if (isEligible[place]) {
                return place;
            }
        }
        throw new IllegalStateException("an order without an eligible target");
    }

    @Override
    String rule() {
        return "geo";
    }

    @Override
    String roleOf(int place) {
        return place == defaultTarget
                ? "default"
                : "region " + regions.name(regionOf.getOrDefault(place, regions.defaultRegion()));
    }

    @Override
    Reason reason(ExplainedClient client, PoolView view) {
        boolean[] isEligible = new boolean[children().size()];
        int[] eligible = eligible(children(), lastCompiledChildren());
        if (eligible.length == 0) {
            return new Reason(List.of(), "no target is healthy");
        }
        for (int i : eligible) {
            isEligible[i] = true;
        }
        int[] order = orders.get(client.region());
        int chosen = first(order, isEligible);
        String region = "the client's region is " + regions.name(client.region());
        return new Reason(
                List.of(chosen),
                chosen == order[0] ? region : region + ", whose target is not up; the next is " + roleOf(chosen));
    }
}
