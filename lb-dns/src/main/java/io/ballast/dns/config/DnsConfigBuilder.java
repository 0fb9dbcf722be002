package io.ballast.dns.config;

import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import java.util.List;
import java.util.Optional;

/** A builder that copies a {@link DnsConfig} with changed options. Confined to one thread. */
public final class DnsConfigBuilder {

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

    DnsConfigBuilder(DnsConfig from) {
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

    public DnsConfigBuilder listeners(List<DnsListenerConfig> listeners) {
        this.listeners = listeners;
        return this;
    }

    public DnsConfigBuilder udp(DnsUdpKind udp) {
        this.udp = udp;
        return this;
    }

    public DnsConfigBuilder tcp(DnsTcpConfig tcp) {
        this.tcp = tcp;
        return this;
    }

    public DnsConfigBuilder zones(List<ZoneConfig> zones) {
        this.zones = zones;
        return this;
    }

    public DnsConfigBuilder forward(Optional<DnsForwardConfig> forward) {
        this.forward = forward;
        return this;
    }

    public DnsConfigBuilder nsid(Optional<String> nsid) {
        this.nsid = nsid;
        return this;
    }

    public DnsConfigBuilder identity(Optional<String> identity) {
        this.identity = identity;
        return this;
    }

    public DnsConfigBuilder version(Optional<String> version) {
        this.version = version;
        return this;
    }

    public DnsConfigBuilder cookies(CookieConfig cookies) {
        this.cookies = cookies;
        return this;
    }

    public DnsConfigBuilder rateLimit(Optional<RateLimitConfig> rateLimit) {
        this.rateLimit = rateLimit;
        return this;
    }

    public DnsConfigBuilder ecsTrusted(List<Cidr> ecsTrusted) {
        this.ecsTrusted = ecsTrusted;
        return this;
    }

    public DnsConfigBuilder logging(DnsLogging logging) {
        this.logging = logging;
        return this;
    }

    public DnsConfigBuilder control(DnsControlConfig control) {
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
