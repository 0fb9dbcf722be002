package io.ballast.config.keys.dns;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.dns.config.zone.ZoneConfig.SoaConfig;
import java.time.Duration;
import java.util.Optional;

/**
 * The keys of {@code dns.zones[].soa}: an SOA record whose names may be derived from the zone name.
 *
 * @param rest the SOA record with all fields; only its two names are placeholders
 */
record SoaKeys(Optional<String> primary, Optional<String> contact, SoaConfig rest) {

    private static final ShapeBuilder<SoaKeys> KEYS =
            Shape.named("soa", "SOA record of a zone (RFC 1035 section 3.3.13).");

    private static final Key<String> PRIMARY = KEYS.optional(
            "primary",
            DnsTexts.ABSOLUTE,
            "name of the primary server (MNAME); ns1 in the zone by default",
            SoaKeys::primary);
    private static final Key<String> CONTACT = KEYS.optional(
            "contact",
            DnsTexts.CONTACT,
            "mail address of the administrator (RNAME); hostmaster in the zone by default",
            SoaKeys::contact);
    private static final Key<Long> SERIAL = KEYS.optional(
            "serial",
            Scalars.whole(0, SoaConfig.MAX_SERIAL),
            SoaConfig.DEFAULT_SERIAL,
            "serial number of the zone",
            soa -> soa.rest.serial());
    private static final Key<Duration> REFRESH = KEYS.optional(
            "refresh",
            Durations.SECONDS,
            SoaConfig.DEFAULT_REFRESH,
            "interval at which secondaries check for a new version of the zone",
            soa -> soa.rest.refresh());
    private static final Key<Duration> RETRY = KEYS.optional(
            "retry",
            Durations.SECONDS,
            SoaConfig.DEFAULT_RETRY,
            "time after which secondaries repeat a failed check",
            soa -> soa.rest.retry());
    private static final Key<Duration> EXPIRE = KEYS.optional(
            "expire",
            Durations.SECONDS,
            SoaConfig.DEFAULT_EXPIRE,
            "time after which secondaries stop serving a zone that they cannot refresh",
            soa -> soa.rest.expire());
    private static final Key<Duration> NEGATIVE_TTL = KEYS.optional(
            "negative_ttl",
            Durations.SECONDS,
            SoaConfig.DEFAULT_NEGATIVE_TTL,
            "how long resolvers cache negative answers (RFC 2308)",
            soa -> soa.rest.negativeTtl());

    static final Type<SoaKeys> SOA = KEYS.build(values -> new SoaKeys(
            values.find(PRIMARY),
            values.find(CONTACT),
            new SoaConfig(
                    "",
                    "",
                    values.get(SERIAL),
                    values.get(REFRESH),
                    values.get(RETRY),
                    values.get(EXPIRE),
                    values.get(NEGATIVE_TTL))));

    /** An SOA record with default values and names derived from the zone name. */
    static final SoaKeys DEFAULT = new SoaKeys(
            Optional.empty(),
            Optional.empty(),
            new SoaConfig(
                    "",
                    "",
                    SoaConfig.DEFAULT_SERIAL,
                    SoaConfig.DEFAULT_REFRESH,
                    SoaConfig.DEFAULT_RETRY,
                    SoaConfig.DEFAULT_EXPIRE,
                    SoaConfig.DEFAULT_NEGATIVE_TTL));

    /** Returns the key values that describe this SOA record. */
    static SoaKeys of(SoaConfig soa) {
        return new SoaKeys(Optional.of(soa.primary()), Optional.of(soa.contact()), soa);
    }

    /** Returns the SOA record for a zone; missing names are derived from the zone name. */
    SoaConfig forZone(String zone) {
        return new SoaConfig(
                primary.orElse("ns1." + zone),
                contact.orElse("hostmaster." + zone),
                rest.serial(),
                rest.refresh(),
                rest.retry(),
                rest.expire(),
                rest.negativeTtl());
    }
}
