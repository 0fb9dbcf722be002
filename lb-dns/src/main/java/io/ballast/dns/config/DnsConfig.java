package io.ballast.dns.config;

import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The DNS frontend.
 *
 * @param listeners the listening addresses
 * @param udp the UDP implementation
 * @param tcp limits of TCP, TLS and HTTPS connections
 * @param zones the authoritative zones
 * @param forward the forwarder for names outside the zones; absent to refuse such queries
 * @param nsid the NSID option (RFC 5001), {@value #HOST_NAME} for the machine's name; absent for none
 * @param identity the answer to {@code id.server} in class CH, with the same values as {@code nsid}
 * @param version the answer to {@code version.bind} in class CH; absent for none
 * @param cookies DNS cookies
 * @param rateLimit the rate limit of UDP responses; absent for none
 * @param ecsTrusted resolvers whose client subnet option is trusted (RFC 7871)
 * @param logging logs of individual queries
 * @param control zone transfers, NOTIFY and UPDATE
 */
public record DnsConfig(
        List<DnsListenerConfig> listeners,
        DnsUdpKind udp,
        DnsTcpConfig tcp,
        List<ZoneConfig> zones,
        Optional<DnsForwardConfig> forward,
        Optional<String> nsid,
        Optional<String> identity,
        Optional<String> version,
        CookieConfig cookies,
        Optional<RateLimitConfig> rateLimit,
        List<Cidr> ecsTrusted,
        DnsLogging logging,
        DnsControlConfig control) {

    /** The networks that contain all clients: every IPv4 and every IPv6 address. */
    public static final List<Cidr> ALL_CLIENTS = List.of(Cidr.parse("0.0.0.0/0"), Cidr.parse("::/0"));

    /** The configuration value that stands for the host name of this machine. */
    public static final String HOST_NAME = "hostname";

    public DnsConfig {
        listeners = List.copyOf(listeners);
        zones = List.copyOf(zones);
        ecsTrusted = List.copyOf(ecsTrusted);
    }

    /** Creates a configuration with default values for all other fields. */
    public DnsConfig(List<DnsListenerConfig> listeners, DnsUdpKind udp, DnsTcpConfig tcp, List<ZoneConfig> zones) {
        this(
                listeners,
                udp,
                tcp,
                zones,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                CookieConfig.DEFAULT,
                Optional.empty(),
                ALL_CLIENTS,
                DnsLogging.DEFAULT,
                DnsControlConfig.DEFAULT);
    }

    /**
     * Returns the external names that services use as alias targets. The services answer with the addresses of
     * these names.
     */
    public Set<String> aliases() {
        Set<String> names = new LinkedHashSet<>();
        for (ZoneConfig zone : zones) {
            zone.services().forEach(service -> names.addAll(service.target().aliases()));
        }
        return names;
    }

    /** Returns a builder with these values. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Returns a copy with these zones. */
    public DnsConfig withZones(List<ZoneConfig> others) {
        return toBuilder().zones(others).build();
    }

    /** Returns a copy with a forwarder. */
    public DnsConfig withForward(DnsForwardConfig forwarder) {
        return toBuilder().forward(Optional.of(forwarder)).build();
    }

    /** Returns a copy with these logging settings. */
    public DnsConfig withLogging(DnsLogging newLogging) {
        return toBuilder().logging(newLogging).build();
    }

    /** Returns a copy with these control settings. */
    public DnsConfig withControl(DnsControlConfig other) {
        return toBuilder().control(other).build();
    }

    /** A builder that copies a {@link DnsConfig} with changed options. Confined to one thread. */
    public static final class Builder {

        private List<DnsListenerConfig> listeners;
        private DnsUdpKind udp;
        private DnsTcpConfig tcp;
        private List<ZoneConfig> zones;
        private Optional<DnsForwardConfig> forward;
        private Optional<String> nsid;
        private Optional<String> identity;
        private Optional<String> version;
        private CookieConfig cookies;
        private Optional<RateLimitConfig> rateLimit;
        private List<Cidr> ecsTrusted;
        private DnsLogging logging;
        private DnsControlConfig control;

        Builder(DnsConfig from) {
            this.listeners = from.listeners();
            this.udp = from.udp();
            this.tcp = from.tcp();
            this.zones = from.zones();
            this.forward = from.forward();
            this.nsid = from.nsid();
            this.identity = from.identity();
            this.version = from.version();
            this.cookies = from.cookies();
            this.rateLimit = from.rateLimit();
            this.ecsTrusted = from.ecsTrusted();
            this.logging = from.logging();
            this.control = from.control();
        }

        public Builder listeners(List<DnsListenerConfig> listeners) {
            this.listeners = listeners;
            return this;
        }

        public Builder udp(DnsUdpKind udp) {
            this.udp = udp;
            return this;
        }

        public Builder tcp(DnsTcpConfig tcp) {
            this.tcp = tcp;
            return this;
        }

        public Builder zones(List<ZoneConfig> zones) {
            this.zones = zones;
            return this;
        }

        public Builder forward(Optional<DnsForwardConfig> forward) {
            this.forward = forward;
            return this;
        }

        public Builder nsid(Optional<String> nsid) {
            this.nsid = nsid;
            return this;
        }

        public Builder identity(Optional<String> identity) {
            this.identity = identity;
            return this;
        }

        public Builder version(Optional<String> version) {
            this.version = version;
            return this;
        }

        public Builder cookies(CookieConfig cookies) {
            this.cookies = cookies;
            return this;
        }

        public Builder rateLimit(Optional<RateLimitConfig> rateLimit) {
            this.rateLimit = rateLimit;
            return this;
        }

        public Builder ecsTrusted(List<Cidr> ecsTrusted) {
            this.ecsTrusted = ecsTrusted;
            return this;
        }

        public Builder logging(DnsLogging logging) {
            this.logging = logging;
            return this;
        }

        public Builder control(DnsControlConfig control) {
            this.control = control;
            return this;
        }

        public DnsConfig build() {
            return new DnsConfig(
                    listeners,
                    udp,
                    tcp,
                    zones,
                    forward,
                    nsid,
                    identity,
                    version,
                    cookies,
                    rateLimit,
                    ecsTrusted,
                    logging,
                    control);
        }
    }
}
