package io.ballast.config.keys.dns;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.DnssecConfig.Algorithm;
import io.ballast.dns.config.zone.DnssecConfig.Denial;
import java.time.Duration;
import java.util.Optional;

/** The keys of {@code dns.zones[].dnssec}, which is a mapping or a boolean. */
final class DnssecKeys {

    private static final ShapeBuilder<DnssecConfig> KEYS = Shape.named(
            "dnssec", "DNSSEC signing of a zone. `true` enables the defaults, `false` leaves the zone unsigned.");

    private static final Key<Algorithm> ALGORITHM = KEYS.optional(
            "algorithm",
            Scalars.constant(Algorithm.class, Algorithm::label),
            DnssecConfig.DEFAULT.algorithm(),
            "algorithm of the keys; it cannot be changed for a zone that is already signed",
            DnssecConfig::algorithm);
    private static final Key<Denial> DENIAL = KEYS.optional(
            "denial",
            Scalars.constant(Denial.class, Denial::label),
            DnssecConfig.DEFAULT.denial(),
            "authenticated denial of existence: nsec in compact form (RFC 9824), or nsec3",
            DnssecConfig::denial);
    private static final Key<Duration> VALIDITY = KEYS.optional(
            "validity",
            Durations.SECONDS,
            DnssecConfig.DEFAULT_VALIDITY,
            "validity period of a signature; it is renewed when a quarter of the period is left",
            DnssecConfig::validity);
    private static final Key<Duration> KEY_TTL = KEYS.optional(
            "key_ttl",
            Durations.SECONDS,
            DnssecConfig.DEFAULT_KEY_TTL,
            "TTL of the DNSKEY, CDS and CDNSKEY records; at most a quarter of validity",
            DnssecConfig::keyTtl);
    private static final Key<Duration> PARENT_DS_TTL = KEYS.optional(
            "parent_ds_ttl",
            Durations.SECONDS,
            DnssecConfig.DEFAULT_PARENT_DS_TTL,
            "TTL of the DS records in the parent zone; a key rollover waits for it",
            DnssecConfig::parentDsTtl);
    private static final Key<Duration> MAX_TTL = KEYS.optional(
            "max_ttl",
            Durations.SECONDS,
            DnssecConfig.DEFAULT_MAX_TTL,
            "longest TTL in the zone; a key rollover waits for it; at most a quarter of validity",
            DnssecConfig::maxTtl);

    private static final Shape<DnssecConfig> SHAPE = KEYS.build(values -> new DnssecConfig(
            values.get(ALGORITHM),
            values.get(DENIAL),
            values.get(VALIDITY),
            values.get(KEY_TTL),
            values.get(PARENT_DS_TTL),
            values.get(MAX_TTL)));

    /** The DNSSEC configuration; absent for a zone that is not signed. */
    static final Type<Optional<DnssecConfig>> DNSSEC = new BriefType<>(
            Scalars.BOOLEAN.map(
                    signed -> signed ? Optional.of(DnssecConfig.DEFAULT) : Optional.empty(), Optional::isPresent),
            SHAPE.map(Optional::of, Optional::orElseThrow),
            Optional::isEmpty);

    private DnssecKeys() {}
}
