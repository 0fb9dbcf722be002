package io.ballast.config.keys.dns;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.dns.config.zone.TtlConfig;
import java.time.Duration;

/** The keys of {@code dns.zones[].services[].ttl}. */
final class TtlKeys {

    private static final ShapeBuilder<TtlConfig> KEYS = Shape.named(
            "ttl", "A TTL that depends on how soon health checks could change the answer, within two bounds.");

    private static final Key<Duration> MIN = KEYS.required(
            "min", Durations.SECONDS, "lower bound, for answers that are about to change", TtlConfig::min);
    private static final Key<Duration> MAX =
            KEYS.required("max", Durations.SECONDS, "upper bound, for answers that do not change soon", TtlConfig::max);

    /** The TTLs of a service, written as a mapping or as a single fixed TTL. */
    static final Type<TtlConfig> TTL = new BriefType<>(
            Durations.SECONDS.map(TtlConfig::fixed, TtlConfig::max),
            KEYS.build(values -> new TtlConfig(values.get(MIN), values.get(MAX))),
            TtlConfig::isFixed);

    private TtlKeys() {}
}
