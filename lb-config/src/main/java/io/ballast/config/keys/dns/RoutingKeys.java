package io.ballast.config.keys.dns;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.pool.LatencyKeys;
import io.ballast.core.Checks;
import io.ballast.core.config.LatencyConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TargetConfig.ConditionalRecord;
import io.ballast.dns.config.zone.TargetConfig.OfName;
import io.ballast.dns.config.zone.TargetConfig.OfPool;
import io.ballast.dns.config.zone.TargetConfig.OfRecords;
import io.ballast.dns.config.zone.TargetConfig.OfRegions;
import io.ballast.dns.config.zone.TargetConfig.OfTargets;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The keys that a service and a target share: the routing rule and the targets from which it selects.
 *
 * @param <R> the type of the object that has the keys
 */
final class RoutingKeys<R> {

    private static final int MAX_ANSWERS = 1000;
    private static final String ALL = "all";

    private final Key<Routing> routing;
    private final Key<String> pool;
    private final Key<String> alias;
    private final Key<List<ConditionalRecord>> records;
    private final Key<List<TargetConfig>> targets;
    private final Key<Map<String, TargetConfig>> regions;
    private final Key<TargetConfig> defaultTarget;
    private final Key<Integer> answers;
    private final Key<LatencyConfig> latency;

    /**
     * Adds the routing keys to the shape {@code keys}.
     *
     * @param inside reads a nested target
     * @param target returns the routing target of the object that the shape builds
     */
    RoutingKeys(ShapeBuilder<R> keys, Type<TargetConfig> inside, Function<R, TargetConfig> target) {
        this.routing = keys.optional(
                "routing",
                Scalars.constant(Routing.class, Routing::label),
                "routing policy; by default, geo with regions, otherwise round-robin",
                target.andThen(RoutingKeys::routing));
        this.pool = keys.optional(
                "pool",
                NameReference.POOL,
                "the pool whose backends are the answer",
                target.andThen(each -> each instanceof OfPool leaf ? Optional.of(leaf.pool()) : Optional.empty()));
        this.alias = keys.optional(
                "alias",
                DnsTexts.ABSOLUTE,
                "name outside the zones whose addresses are returned; dns.forward resolves it",
                target.andThen(each -> each instanceof OfName leaf ? Optional.of(leaf.name()) : Optional.empty()));
        this.records = keys.optional(
                "records",
                RecordKeys.RECORDS,
                "records to return, with a type; only those whose backends are healthy are included",
                target.andThen(
                        each -> each instanceof OfRecords leaf ? Optional.of(leaf.records()) : Optional.empty()));
        this.targets = keys.optional(
                "targets",
                ListType.atLeastOne(inside),
                "the targets that it selects from, in order of preference",
                target.andThen(
                        each -> each instanceof OfTargets some ? Optional.of(some.targets()) : Optional.empty()));
        this.regions = keys.optional(
                "regions",
                new TargetsByRegion(new NamedType<>(inside)),
                "targets by client region; each region must exist under geo",
                target.andThen(
                        each -> each instanceof OfRegions some ? Optional.of(some.regions()) : Optional.empty()));
        this.defaultTarget = keys.optional(
                "default",
                inside,
                "with geo: target for regions that are not listed; with latency: used while no check time is known",
                target.andThen(RoutingKeys::defaultTarget));
        this.answers = keys.optional(
                "answers",
                answerCount(),
                "maximum number of addresses of the pool in one answer; 1 with weighted, latency and hash"
                        + " routing, else all",
                target.andThen(each -> each instanceof OfPool leaf ? Optional.of(leaf.answers()) : Optional.empty()));
        this.latency = keys.optional(
                "latency",
                LatencyKeys.LATENCY,
                "comparison of health check times; only with latency routing",
                target.andThen(RoutingKeys::latency));
        keys.exactlyOne(pool, alias, records, targets, regions);
    }

    private static Type<Integer> answerCount() {
        return Scalars.matchingOrNumber(
                        "number or all",
                        "all, or a number from 1 to " + MAX_ANSWERS,
                        ALL + "|[1-9][0-9]{0,2}|" + MAX_ANSWERS)
                .map(
                        text -> text.equals(ALL) ? ServiceConfig.ALL : Integer.parseInt(text),
                        answers -> answers == ServiceConfig.ALL ? ALL : answers.toString());
    }

    private static Optional<Routing> routing(TargetConfig target) {
        return target instanceof OfName || target instanceof OfRecords
                ? Optional.empty()
                : Optional.of(target.routing());
    }

    private static Optional<TargetConfig> defaultTarget(TargetConfig target) {
        if (target instanceof OfTargets some) {
            return some.defaultTarget();
        }
        return target instanceof OfRegions some ? some.defaultTarget() : Optional.empty();
    }

    private static Optional<LatencyConfig> latency(TargetConfig target) {
        if (target.routing() != Routing.LATENCY) {
            return Optional.empty();
        }
        return target instanceof OfTargets some
                ? Optional.of(some.latency())
                : Optional.of(((OfPool) target).latency());
    }

    /** Builds the target from the values. */
    TargetConfig build(Values values, Thresholds thresholds) {
        Routing rule = values.find(routing).orElse(values.has(regions) ? Routing.GEO : Routing.ROUND_ROBIN);
        LatencyConfig times = values.find(latency).orElse(LatencyConfig.DEFAULT);
        Checks.that(
                values.find(latency).isEmpty() || rule == Routing.LATENCY,
                latency.name(),
                "settings",
                "only with latency routing");
        Checks.that(values.find(answers).isEmpty() || values.has(pool), answers.name(), "set", "only with a pool");
        if (values.has(pool)) {
            Checks.that(
                    values.find(defaultTarget).isEmpty(),
                    defaultTarget.name(),
                    "set",
                    "not set, because a pool has no default target");
            int count = values.find(answers).orElse(rule.defaultAnswers());
            return new OfPool(values.get(pool), rule, count, thresholds, times);
        }
        if (values.has(alias) || values.has(records)) {
            Checks.that(
                    values.find(defaultTarget).isEmpty(), defaultTarget.name(), "set", "only with targets or regions");
            Checks.that(
                    values.find(routing).isEmpty(),
                    routing.name(),
                    rule.label(),
                    "only with a pool, targets or regions");
            return values.has(alias)
                    ? new OfName(values.get(alias), thresholds)
                    : new OfRecords(values.get(records), thresholds);
        }
        if (values.has(targets)) {
            return new OfTargets(rule, values.get(targets), values.find(defaultTarget), thresholds, times);
        }
        Checks.that(rule == Routing.GEO, routing.name(), rule.label(), "geo, because regions are set");
        return new OfRegions(values.get(regions), values.find(defaultTarget), thresholds);
    }
}
