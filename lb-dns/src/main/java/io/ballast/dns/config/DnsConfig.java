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
 * @param listeners where resolvers come in
 * @param udp what receives and sends datagrams
 * @param tcp what clients may use up that come by connections
 * @param zones what it is authoritative for
 * @param forward what answers for names outside of them; none refuses such queries
 * @param nsid tells clients that ask which server answered, {@value #HOST_NAME} by the machine's name; none tells nothing
 * @param identity tells clients that ask in class CH which server answered, likewise
 * @param version tells clients that ask in class CH which software answered; none tells nothing
 * @param cookies by which clients prove their address
 * @param rateLimit how much clients get over UDP; none for no limit
 * @param ecsTrusted resolvers that are believed when they tell the network of their client (RFC 7871)
 * @param logging what is told of single queries
 * @param control what other servers may have beyond answers
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

    /** All clients. */
    public static final List<Cidr> ANYBODY = List.of(Cidr.parse("0.0.0.0/0"), Cidr.parse("::/0"));

    /** Instead of a name of its own, the server tells the machine's. */
    public static final String HOST_NAME = "hostname";

    public DnsConfig {
        listeners = List.copyOf(listeners);
        zones = List.copyOf(zones);
        ecsTrusted = List.copyOf(ecsTrusted);
    }

    /** The rest as it is by default. */
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
                ANYBODY,
                DnsLogging.DEFAULT,
                DnsControlConfig.DEFAULT);
    }

    /** The names of elsewhere whose addresses services answer with. */
    public Set<String> aliases() {
        Set<String> names = new LinkedHashSet<>();
        for (ZoneConfig zone : zones) {
            zone.services().forEach(service -> names.addAll(service.target().aliases()));
        }
        return names;
    }

    /** What makes the same unless told otherwise. */
    public DnsConfigBuilder toBuilder() {
        return new DnsConfigBuilder(this);
    }

    /** The same with other zones. */
    public DnsConfig withZones(List<ZoneConfig> others) {
        return toBuilder().zones(others).build();
    }

    /** The same with a forwarder. */
    public DnsConfig withForward(DnsForwardConfig forwarder) {
        return toBuilder().forward(Optional.of(forwarder)).build();
    }

    /** The same, logged otherwise. */
    public DnsConfig withLogging(DnsLogging otherwise) {
        return toBuilder().logging(otherwise).build();
    }

    /** The same with other rules for servers. */
    public DnsConfig withControl(DnsControlConfig other) {
        return toBuilder().control(other).build();
    }
}
