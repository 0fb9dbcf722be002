package io.ballast.core.config;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A zone that Ballast is authoritative for.
 *
 * @param name absolute name in lower case, without the final dot
 * @param soa its start of authority
 * @param nameServers names of its servers, absolute, without the final dot; at least one
 * @param nsTtl TTL of the NS records
 * @param file a zone file (RFC 1035 section 5) with its records; then {@code soa}, {@code nameServers} and {@code nsTtl}
 *     mean nothing
 * @param dnssec how it is signed, absent if it is not
 * @param services names balanced over pools
 * @param transfer which servers may have all of it, absent if none may
 */
public record ZoneConfig(
        String name,
        SoaConfig soa,
        List<String> nameServers,
        Duration nsTtl,
        Optional<Path> file,
        Optional<DnssecConfig> dnssec,
        List<ServiceConfig> services,
        Optional<TransferConfig> transfer) {

    public static final Duration DEFAULT_NS_TTL = Duration.ofHours(1);

    public ZoneConfig {
        nameServers = List.copyOf(nameServers);
        services = List.copyOf(services);
    }

    /** No other server may have all of it. */
    public ZoneConfig(
            String name,
            SoaConfig soa,
            List<String> nameServers,
            Duration nsTtl,
            Optional<Path> file,
            Optional<DnssecConfig> dnssec,
            List<ServiceConfig> services) {
        this(name, soa, nameServers, nsTtl, file, dnssec, services, Optional.empty());
    }

    /** The same for other servers. */
    public ZoneConfig withTransfer(TransferConfig rules) {
        return new ZoneConfig(name, soa, nameServers, nsTtl, file, dnssec, services, Optional.of(rules));
    }

    /**
     * Start of authority (RFC 1035 section 3.3.13).
     *
     * @param primary MNAME, absolute, without the final dot
     * @param contact RNAME as a mail address with a dot for the at sign, without the final dot
     * @param serial 0 to 2^32 - 1
     * @param refresh for secondaries
     * @param retry for secondaries
     * @param expire for secondaries
     * @param negativeTtl how long resolvers keep NXDOMAIN and NODATA (RFC 2308); also the TTL of the SOA
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

        public SoaConfig {
            Checks.that(serial >= 0 && serial <= MAX_SERIAL, "serial", serial, "0.." + MAX_SERIAL);
        }
    }
}
