package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import io.ballast.core.config.Address;
import io.ballast.core.config.LatencyConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The source of a service's records: a pool, an external name, literal records, or a choice among targets.
 * Targets can be nested, but cannot form loops.
 */
public sealed interface TargetConfig {

    int DEFAULT_WEIGHT = 1;
    int MAX_WEIGHT = 1000;
    int DEFAULT_MIN_HEALTHY = 0;

    /** Returns how the target chooses among its addresses or nested targets. */
    Routing routing();

    /**
     * The values that the enclosing target uses: the weight of this target, and its required percentage of healthy
     * backends.
     */
    Thresholds thresholds();

    /** Returns the nested targets, each once; empty if this target is not a choice among targets. */
    default Collection<TargetConfig> children() {
        return List.of();
    }

    /** Returns the names of the pools of this target and all targets below it. */
    default Set<String> pools() {
        Set<String> pools = new LinkedHashSet<>();
        children().forEach(target -> pools.addAll(target.pools()));
        return pools;
    }

    /** Returns the external names of this target and all targets below it. */
    default Set<String> aliases() {
        Set<String> names = new LinkedHashSet<>();
        children().forEach(target -> names.addAll(target.aliases()));
        return names;
    }

    /**
     * The thresholds of a target within its parent.
     *
     * @param weight the share of this target in a weighted choice, 1 to {@value #MAX_WEIGHT}
     * @param minHealthyPercent the percentage of the target's backends that must be healthy, 0 to 100; if fewer are
     *     healthy, other targets are preferred
     */
    record Thresholds(int weight, int minHealthyPercent) {

        public static final Thresholds DEFAULT = new Thresholds(DEFAULT_WEIGHT, DEFAULT_MIN_HEALTHY);

        public Thresholds {
            Checks.between(weight, 1, MAX_WEIGHT, "weight");
            Checks.between(minHealthyPercent, 0, 100, "min_healthy");
        }
    }

    /**
     * The addresses of a pool.
     *
     * @param answers maximum number of addresses in an answer; {@link ServiceConfig#ALL} for all of them
     * @param latency settings of latency routing
     */
    record OfPool(String pool, Routing routing, int answers, Thresholds thresholds, LatencyConfig latency)
            implements TargetConfig {

        public OfPool {
            Checks.atLeast(answers, 0, "answers");
            Checks.that(routing != Routing.GEO, "routing", routing.label(), "another routing; geo needs regions");
            Checks.that(
                    !latency.learned(),
                    "latency",
                    "learned",
                    "targets instead of a pool, because response times are measured per pool");
        }

        public static OfPool of(String pool, Routing routing, int answers) {
            return new OfPool(pool, routing, answers, Thresholds.DEFAULT, LatencyConfig.DEFAULT);
        }

        @Override
        public Set<String> pools() {
            return Set.of(pool);
        }
    }

    /**
     * The addresses of an external name (<em>ALIAS</em>).
     *
     * @param name the external name: absolute, in lower case, without the final dot
     */
    record OfName(String name, Thresholds thresholds) implements TargetConfig {

        @Override
        public Set<String> aliases() {
            return Set.of(name);
        }

        @Override
        public Routing routing() {
            return Routing.ROUND_ROBIN;
        }
    }

    /**
     * Literal records, each with an optional health condition.
     *
     * @param records all records that one answer may contain; 1 to {@value #MAX_RECORDS}
     */
    record OfRecords(List<ConditionalRecord> records, Thresholds thresholds) implements TargetConfig {

        public static final int MAX_RECORDS = 100;

        public OfRecords {
            records = List.copyOf(records);
            Checks.between(records.size(), 1, MAX_RECORDS, "records");
        }

        @Override
        public Routing routing() {
            return Routing.ROUND_ROBIN;
        }

        @Override
        public Set<String> pools() {
            Set<String> pools = new LinkedHashSet<>();
            records.forEach(each -> each.pool().ifPresent(pools::add));
            return pools;
        }
    }

    /**
     * A literal record and its health condition.
     *
     * @param data RDATA in zone file format; names without a final dot are relative to the zone
     * @param pool a pool that must have a healthy backend; absent for a record without a condition
     * @param backend the backend of the pool that must be healthy; absent if any healthy backend is sufficient
     */
    record ConditionalRecord(String data, Optional<String> pool, Optional<Address> backend) {

        public ConditionalRecord {
            Checks.that(backend.isEmpty() || pool.isPresent(), "backend", "given", "only with a pool");
        }
    }

    /**
     * A choice among targets.
     *
     * @param targets the nested targets, at least one; in order of preference if the routing uses an order
     * @param defaultTarget target of latency routing if no response time is known
     * @param latency settings of latency routing
     */
    record OfTargets(
            Routing routing,
            List<TargetConfig> targets,
            Optional<TargetConfig> defaultTarget,
            Thresholds thresholds,
            LatencyConfig latency)
            implements TargetConfig {

        public OfTargets {
            targets = List.copyOf(targets);
            Checks.that(!targets.isEmpty(), "targets", "none", "at least one target");
            Checks.that(routing != Routing.GEO, "routing", routing.label(), "another routing; geo needs regions");
            Checks.that(
                    defaultTarget.isEmpty() || routing == Routing.LATENCY,
                    "default",
                    "given",
                    "only with geo or latency routing");
            for (TargetConfig target : targets) {
                Checks.that(
                        routing == Routing.WEIGHTED || target.thresholds().weight() == DEFAULT_WEIGHT,
                        "targets",
                        "weight " + target.thresholds().weight(),
                        "no weights, or weighted routing");
            }
        }

        @Override
        public Collection<TargetConfig> children() {
            List<TargetConfig> children = new ArrayList<>(targets);
            defaultTarget.ifPresent(children::add);
            return children;
        }
    }

    /**
     * A choice of a target by the client's region.
     *
     * @param regions targets by the name of the region
     * @param defaultTarget target for clients of a region that is not listed, and if no listed target is healthy
     */
    record OfRegions(Map<String, TargetConfig> regions, Optional<TargetConfig> defaultTarget, Thresholds thresholds)
            implements TargetConfig {

        public OfRegions {
            regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
            Checks.that(!regions.isEmpty(), "regions", "none", "at least one region");
        }

        @Override
        public Routing routing() {
            return Routing.GEO;
        }

        @Override
        public Collection<TargetConfig> children() {
            List<TargetConfig> children = new ArrayList<>(regions.values());
            defaultTarget.ifPresent(children::add);
            return children;
        }
    }
}
