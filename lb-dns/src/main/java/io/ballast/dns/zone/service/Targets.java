package io.ballast.dns.zone.service;

import io.ballast.core.balance.Member;
import io.ballast.core.geo.Regions;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.zone.pool.PoolAddresses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates the targets of a service from its configuration, for one type of records. */
final class Targets {

    private final Leaves leaves;
    private final Cursors cursors;
    private final @Nullable Regions regions;

    /** Creates the leaf targets of a service; there is one implementation for each kind of record type. */
    interface Leaves {

        Target of(TargetConfig leaf);

        /** Returns the members of a pool that take traffic and are relevant for the record type. */
        List<Member> members(PoolAddresses pool);
    }

    /** @param regions the regions of clients; null if the configuration defines no regions */
    Targets(Leaves leaves, Cursors cursors, @Nullable Regions regions) {
        this.leaves = leaves;
        this.cursors = cursors;
        this.regions = regions;
    }

    /** @throws IllegalArgumentException if the configuration refers to an unknown region */
    Target of(TargetConfig config) {
        if (config instanceof TargetConfig.OfRegions byRegion) {
            return of(byRegion);
        }
        return config instanceof TargetConfig.OfTargets some ? of(some) : leaves.of(config);
    }

    private Target of(TargetConfig.OfTargets config) {
        List<Target> inside = all(config.targets());
        return switch (config.routing()) {
            case FAILOVER -> new FailoverTarget(config.thresholds(), inside);
            case LATENCY -> {
                config.defaultTarget().ifPresent(otherwise -> inside.add(of(otherwise)));
                yield new LowestLatencyTarget(
                        config.targets(),
                        config.thresholds(),
                        config.latency(),
                        inside,
                        leaves::members,
                        cursors.next());
            }
            default -> new BalancedTarget(config.routing(), config.thresholds(), inside, cursors.next());
        };
    }

    private Target of(TargetConfig.OfRegions config) {
        if (regions == null) {
            throw new IllegalArgumentException("routing: geo (expected: a geo section in the configuration)");
        }
        List<Target> inside = new ArrayList<>();
        Map<Integer, Integer> places = new HashMap<>();
        config.regions().forEach((name, target) -> {
            places.put(regionId(name, regions), inside.size());
            inside.add(of(target));
        });
        Optional<TargetConfig> otherwise = config.defaultTarget();
        otherwise.ifPresent(target -> inside.add(of(target)));
        return new RegionTarget(
                config.thresholds(),
                inside,
                regions,
                places,
                otherwise.isPresent() ? inside.size() - 1 : RegionTarget.NONE);
    }

    private static int regionId(String name, Regions regions) {
        return regions.id(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "region: " + name + " (expected: one of " + String.join(", ", regions.names()) + ")"));
    }

    private List<Target> all(List<TargetConfig> configs) {
        List<Target> all = new ArrayList<>();
        configs.forEach(config -> all.add(of(config)));
        return all;
    }
}
