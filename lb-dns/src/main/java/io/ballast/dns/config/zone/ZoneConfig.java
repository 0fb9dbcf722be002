package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A zone that Ballast is authoritative for.
 *
 * @param name absolute name in lower case, without the final dot
 * @param soa the SOA record
 * @param nameServers absolute names of the zone's name servers, without the final dot; at least one
 * @param nsTtl TTL of the NS records
 * @param file a zone file (RFC 1035 section 5) with the records of the zone; with a file, {@code soa}, {@code
 *     nameServers} and {@code nsTtl} are not used
 * @param dnssec the signing settings; absent for an unsigned zone
 * @param services names that are balanced over pools
 * @param transfer the servers that may transfer the zone; absent for none
 * @param secondary the primaries, for a secondary zone. Such a zone does not use {@code soa}, {@code nameServers} and
 *     {@code nsTtl}. Its {@code file} stores the last version, and is absent before the first transfer
 * @param update the clients that may update the zone; absent for none; requires {@code file}
 * @param members the member zones of a catalog zone that this server generates (RFC 9432); empty for other zones
 */
public record ZoneConfig(
        String name,
        SoaConfig soa,
        List<String> nameServers,
        Duration nsTtl,
        Optional<Path> file,
        Optional<DnssecConfig> dnssec,
        List<ServiceConfig> services,
        Optional<TransferConfig> transfer,
        Optional<SecondaryConfig> secondary,
        Optional<UpdateConfig> update,
        List<CatalogMember> members) {

    public static final Duration DEFAULT_NS_TTL = Duration.ofHours(1);

    public ZoneConfig {
        nameServers = List.copyOf(nameServers);
        services = List.copyOf(services);
        members = List.copyOf(members);
    }

    /** Creates a primary zone without transfers. */
    public ZoneConfig(
            String name,
            SoaConfig soa,
            List<String> nameServers,
            Duration nsTtl,
            Optional<Path> file,
            Optional<DnssecConfig> dnssec,
            List<ServiceConfig> services) {
        this(
                name,
                soa,
                nameServers,
                nsTtl,
                file,
                dnssec,
                services,
                /* transfer= */ Optional.empty(),
                /* secondary= */ Optional.empty(),
                /* update= */ Optional.empty(),
                /* members= */ List.of());
    }

    /** Creates a secondary zone that has not been transferred yet, without services. */
    public static ZoneConfig secondary(
            String name, SecondaryConfig primaries, Optional<DnssecConfig> dnssec, Optional<TransferConfig> transfer) {
        return new ZoneConfig(
                name,
                SoaConfig.placeholder(),
                List.of(),
                DEFAULT_NS_TTL,
                /* file= */ Optional.empty(),
                dnssec,
                List.of(),
                transfer,
                Optional.of(primaries),
                /* update= */ Optional.empty(),
                /* members= */ List.of());
    }

    /** Returns a copy with these transfer settings. */
    public ZoneConfig withTransfer(TransferConfig rules) {
        return new ZoneConfig(
                name, soa, nameServers, nsTtl, file, dnssec, services, Optional.of(rules), secondary, update, members);
    }

    /** Returns a copy of this zone that the given clients may update dynamically. */
    public ZoneConfig withUpdate(UpdateConfig clients) {
        return new ZoneConfig(
                name,
                soa,
                nameServers,
                nsTtl,
                file,
                dnssec,
                services,
                transfer,
                secondary,
                Optional.of(clients),
                members);
    }

    /** Returns whether the zone is a secondary zone that has not been transferred yet. */
    public boolean isAwaitingTransfer() {
        return secondary.isPresent() && file.isEmpty();
    }

    /** Returns a copy with this file; absent for a secondary zone before its first transfer. */
    public ZoneConfig withFile(Optional<Path> records) {
        return new ZoneConfig(
                name, soa, nameServers, nsTtl, records, dnssec, services, transfer, secondary, update, members);
    }

    /** Returns a copy without services. */
    public ZoneConfig withoutServices() {
        return withServices(List.of());
    }

    /** Returns a copy with the services {@code others} instead of its own. */
    public ZoneConfig withServices(List<ServiceConfig> others) {
        return new ZoneConfig(
                name, soa, nameServers, nsTtl, file, dnssec, others, transfer, secondary, update, members);
    }

    /**
     * The SOA record (RFC 1035 section 3.3.13).
     *
     * @param primary MNAME field: an absolute name without the final dot
     * @param contact RNAME field: a mail address with a dot instead of the at sign, without the final dot
     * @param serial serial number, 0 to 2^32 - 1
     * @param refresh REFRESH interval for secondaries
     * @param retry RETRY interval for secondaries
     * @param expire EXPIRE time for secondaries
     * @param negativeTtl how long resolvers cache NXDOMAIN and NODATA (RFC 2308); also the TTL of the SOA record
     */
    public record SoaConfig(
            String primary,
            String contact,
            long serial,
            Duration refresh,
            Duration retry,
            Duration expire,
            Duration negativeTtl) {

        public static final long MAX_SERIAL = 0xFFFF_FFFFL;
        public static final long DEFAULT_SERIAL = 1;
        public static final Duration DEFAULT_REFRESH = Duration.ofHours(1);
        public static final Duration DEFAULT_RETRY = Duration.ofMinutes(10);
        public static final Duration DEFAULT_EXPIRE = Duration.ofDays(7);
        public static final Duration DEFAULT_NEGATIVE_TTL = Duration.ofSeconds(60);

        /** Returns a placeholder for zones whose SOA record is in a file. */
        public static SoaConfig placeholder() {
            return new SoaConfig(
                    "invalid",
                    "invalid",
                    DEFAULT_SERIAL,
                    DEFAULT_REFRESH,
                    DEFAULT_RETRY,
                    DEFAULT_EXPIRE,
                    DEFAULT_NEGATIVE_TTL);
        }

        public SoaConfig {
            Checks.that(serial >= 0 && serial <= MAX_SERIAL, "serial", serial, "0.." + MAX_SERIAL);
        }
    }
}
