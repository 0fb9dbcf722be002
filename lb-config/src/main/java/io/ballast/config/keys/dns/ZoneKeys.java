package io.ballast.config.keys.dns;

import io.ballast.config.key.Durations;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.core.Checks;
import io.ballast.dns.config.zone.CatalogMember;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.TransferConfig;
import io.ballast.dns.config.zone.UpdateConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The keys of {@code dns.zones[]}. */
final class ZoneKeys {

    private static final ShapeBuilder<ZoneConfig> KEYS =
            Shape.named("zone", "A zone that Ballast is authoritative for.");

    private static final Key<String> NAME =
            KEYS.required("name", DnsTexts.ABSOLUTE, "name of the zone", ZoneConfig::name);
    private static final Key<Path> FILE = KEYS.optional(
            "file", FileType.ofContent(), "a zone file (RFC 1035) with all its records", ZoneConfig::file);
    private static final Key<SoaKeys> SOA = KEYS.optional(
            "soa",
            SoaKeys.SOA,
            "SOA record of the zone; not used with `file` or `secondary`",
            zone -> unlessInFile(zone, SoaKeys.of(zone.soa())));
    private static final Key<List<String>> NAME_SERVERS = KEYS.optional(
            "name_servers",
            ListType.atLeastOne(DnsTexts.ABSOLUTE).unique("name server", name -> name),
            "name servers of the zone (NS records); not used with `file` or `secondary`; default: ns1 in the zone",
            zone -> zone.members().isEmpty() ? unlessInFile(zone, zone.nameServers()) : Optional.empty());
    private static final Key<Duration> NS_TTL = KEYS.optional(
            "ns_ttl", Durations.SECONDS, ZoneConfig.DEFAULT_NS_TTL, "TTL of the NS records", ZoneConfig::nsTtl);
    private static final Key<Optional<DnssecConfig>> DNSSEC = KEYS.optional(
            "dnssec", DnssecKeys.DNSSEC, Optional.empty(), "DNSSEC signing of the zone", ZoneConfig::dnssec);
    private static final Key<List<ServiceConfig>> SERVICES = KEYS.optional(
            "services",
            ListType.of(ServiceKeys.SERVICE)
                    .unique(
                            "service",
                            service -> ServiceKeys.identities(service).get(0)),
            List.of(),
            "names that are answered with the addresses of healthy backends",
            ZoneConfig::services);

    private static final Key<TransferConfig> TRANSFER = KEYS.optional(
            "transfer",
            TransferKeys.TRANSFER,
            "servers that may transfer the zone; none by default",
            ZoneConfig::transfer);
    private static final Key<SecondaryConfig> SECONDARY = KEYS.optional(
            "secondary", SecondaryKeys.SECONDARY, "the primaries of a secondary zone", ZoneConfig::secondary);

    private static final Key<UpdateConfig> UPDATE = KEYS.optional(
            "update",
            UpdateKeys.UPDATE,
            "clients that may send dynamic updates for the zone (RFC 2136); none by default",
            ZoneConfig::update);

    private static final Key<List<CatalogMember>> CATALOG = KEYS.optional(
            "catalog",
            CatalogMemberKeys.MEMBERS,
            "member zones of a catalog zone (RFC 9432) that Ballast generates for other servers",
            zone -> zone.members().isEmpty() ? Optional.empty() : Optional.of(zone.members()));

    static {
        KEYS.atMostOne(CATALOG, FILE);
        KEYS.atMostOne(CATALOG, NAME_SERVERS);
        KEYS.atMostOne(CATALOG, SECONDARY);
        KEYS.atMostOne(CATALOG, UPDATE);
        KEYS.atMostOne(FILE, SOA);
        KEYS.atMostOne(FILE, NAME_SERVERS);
        KEYS.atMostOne(SECONDARY, FILE);
        KEYS.atMostOne(SECONDARY, SOA);
        KEYS.atMostOne(SECONDARY, NAME_SERVERS);
        KEYS.atMostOne(SECONDARY, UPDATE); // only the primary accepts updates
    }

    static {
        KEYS.onReload(ReloadEffect.REPLACES_OBJECT, NAME);
    }

    static final Type<ZoneConfig> ZONE = KEYS.build(ZoneKeys::build);

    private ZoneKeys() {}

    private static <T> Optional<T> unlessInFile(ZoneConfig zone, T value) {
        return zone.file().isPresent() || zone.secondary().isPresent() ? Optional.empty() : Optional.of(value);
    }

    private static void requireNamesOnce(List<ServiceConfig> services) {
        Set<String> names = new HashSet<>();
        for (ServiceConfig service : services) {
            for (String name : ServiceKeys.identities(service)) {
                Checks.that(names.add(name), SERVICES.name(), name, "unique names, not '" + name + "' twice");
            }
        }
    }

    private static ZoneConfig build(Values values) {
        String name = values.get(NAME);
        requireNamesOnce(values.get(SERVICES));
        Optional<SecondaryConfig> secondary = values.find(SECONDARY);
        if (secondary.map(SecondaryConfig::catalog).orElse(false)) {
            List<ServiceConfig> services = values.get(SERVICES);
            Checks.that(
                    services.isEmpty(),
                    "services",
                    name,
                    "no services, because a catalog zone is not served to clients");
            Checks.that(
                    values.get(DNSSEC).isEmpty(),
                    "dnssec",
                    name,
                    "no DNSSEC signing, because a catalog zone is not served to clients");
            Checks.that(
                    values.find(TRANSFER).isEmpty(),
                    "transfer",
                    name,
                    "no transfer settings; this catalog zone cannot be transferred to other servers");
        }
        if (values.find(UPDATE).isPresent()) {
            Checks.that(
                    values.find(FILE).isPresent(),
                    "update",
                    name,
                    "the key 'file' as well; dynamic updates require a zone file");
        }
        if (values.find(CATALOG).isPresent()) {
            Checks.that(values.get(SERVICES).isEmpty(), "services", name, "no services in a catalog zone");
            Checks.that(values.get(DNSSEC).isEmpty(), "dnssec", name, "no DNSSEC signing of a catalog zone");
            Checks.that(
                    values.find(TRANSFER).isPresent(),
                    "transfer",
                    name,
                    "transfer settings with the servers that may transfer the catalog zone");
        }
        return new ZoneConfig(
                name,
                values.find(SOA).orElse(SoaKeys.DEFAULT).forZone(name),
                values.find(NAME_SERVERS).orElse(List.of("ns1." + name)),
                values.get(NS_TTL),
                values.find(FILE),
                values.get(DNSSEC),
                values.get(SERVICES),
                values.find(TRANSFER),
                secondary,
                values.find(UPDATE),
                values.find(CATALOG).orElse(List.of()));
    }
}
