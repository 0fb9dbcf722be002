package io.ballast.config.keys.dns;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.common.Percents;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TargetConfig.OfPool;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import java.util.Map;

/** A target of a service: {@code dns.zones[].services[].targets[]}, {@code regions.NAME} and {@code default}. */
final class TargetKeys {

    private static final String NAME = "target";

    /** The label of targets in the reference documentation. {@link TargetReference} has the same label and schema. */
    static final String LABEL = NameReference.POOL.label() + " or " + NAME;

    static final Map<String, Object> SCHEMA = Shape.briefReference(NameReference.POOL, NAME);

    private static final ShapeBuilder<TargetConfig> KEYS = Shape.named(
            NAME,
            "A pool, or a selection from targets. The name of a pool alone returns its healthy backends in turn.");

    private static final RoutingKeys<TargetConfig> ROUTING =
            new RoutingKeys<>(KEYS, TargetReference.TARGET, target -> target);

    private static final Key<Integer> WEIGHT = KEYS.optional(
            "weight",
            Scalars.integer(1, TargetConfig.MAX_WEIGHT),
            TargetConfig.DEFAULT_WEIGHT,
            "share relative to the other targets; only inside weighted routing",
            target -> target.thresholds().weight());
    private static final Key<Integer> MIN_HEALTHY = KEYS.optional(
            "min_healthy",
            Percents.PERCENT,
            TargetConfig.DEFAULT_MIN_HEALTHY,
            "minimum share of healthy backends; below it, the target counts as down, but is used if all other"
                    + " targets are down too",
            target -> target.thresholds().minHealthyPercent());

    /** A target, written as a mapping or as the name of a pool alone. */
    static final Type<TargetConfig> TARGET = new BriefType<>(
            NameReference.POOL.map(
                    pool -> OfPool.of(pool, Routing.ROUND_ROBIN, Routing.ROUND_ROBIN.defaultAnswers()),
                    target -> String.join("", target.pools())),
            KEYS.build(values -> ROUTING.build(values, new Thresholds(values.get(WEIGHT), values.get(MIN_HEALTHY)))),
            /* printsBrief= */ target -> false);

    private TargetKeys() {}
}
