package io.ballast.config.keys.dns;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.forward.DnsForwardKeys;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsControlConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.config.DnstapConfig;
import io.ballast.dns.config.RateLimitConfig;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.zone.CatalogMember;
import io.ballast.dns.config.zone.ZoneConfig;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The keys of {@code dns}. */
public final class DnsKeys {

    private static final ShapeBuilder<DnsConfig> KEYS = Shape.named("dns", "The DNS frontend.");
    private static final Key<List<DnsListenerConfig>> LISTENERS = KEYS.required(
            "listeners",
            ListType.atLeastOne(DnsListenerKeys.LISTENER),
            "addresses on which DNS queries are received",
            DnsConfig::listeners);
    private static final Key<DnsUdpKind> UDP = KEYS.optional(
            "udp",
            EnumWords.of(DnsUdpKind.class),
            DnsUdpKind.AUTO,
            "how UDP datagrams are received and sent; auto uses direct system calls if available, on Linux"
                    + " with Java 22 or newer, and Netty otherwise",
            DnsConfig::udp);
    private static final Key<DnsTcpConfig> TCP = KEYS.optional(
            "tcp",
            DnsTcpKeys.TCP,
            DnsTcpConfig.DEFAULT,
            "limits for client connections: TCP, DoT and DoH",
            DnsConfig::tcp);
    private static final Key<List<ZoneConfig>> ZONES = KEYS.optional(
            "zones",
            ListType.atLeastOne(ZoneKeys.ZONE).unique("zone", ZoneConfig::name),
            "authoritative zones; required unless forward is set",
            config -> config.zones().isEmpty() ? Optional.empty() : Optional.of(config.zones()));
    private static final Key<DnsForwardConfig> FORWARD = KEYS.optional(
            "forward",
            DnsForwardKeys.FORWARD,
            "resolvers for names outside the zones; queries for such names are refused by default",
            DnsConfig::forward);

    private static final Key<String> NSID = KEYS.optional(
            "nsid",
            DnsTexts.NSID,
            "server identifier returned as NSID (RFC 5001); hostname: the machine's name; not sent by default",
            DnsConfig::nsid);
    private static final Key<String> IDENTITY = KEYS.optional(
            "identity",
            DnsTexts.NSID,
            "response to id.server and hostname.bind in class CH (RFC 4892); hostname: the machine's name;"
                    + " refused by default",
            DnsConfig::identity);
    private static final Key<String> VERSION = KEYS.optional(
            "version",
            DnsTexts.NSID,
            "response to version.bind and version.server in class CH; refused by default",
            DnsConfig::version);
    private static final Key<CookieConfig> COOKIES = KEYS.optional(
            "cookies",
            CookieKeys.COOKIES,
            CookieConfig.DEFAULT,
            "DNS cookies, which prove the address of a client",
            DnsConfig::cookies);
    private static final Key<RateLimitConfig> RATE_LIMIT = KEYS.optional(
            "rate_limit",
            RateLimitKeys.RATE_LIMIT,
            "rate limit of UDP responses per client; no limit by default",
            DnsConfig::rateLimit);

    private static final Key<List<Cidr>> ECS_TRUSTED = KEYS.optional(
            "ecs_trusted",
            ListType.of(Networks.NETWORK).unique("network", network -> network),
            DnsConfig.ALL_CLIENTS,
            "resolvers whose client subnet options (RFC 7871) are trusted; for all others, the resolver's own"
                    + " address determines the location",
            DnsConfig::ecsTrusted);

    private static final Key<DnsQueryLogConfig> QUERY_LOG = KEYS.optional(
            "query_log",
            DnsQueryLogKeys.QUERY_LOG,
            DnsQueryLogConfig.DEFAULT,
            "the query log; by default, the last 1,000 queries for names outside the zones are kept, in"
                    + " memory only; off disables it and the statistics that are derived from it",
            config -> config.logging().queryLog());
    private static final Key<DnstapConfig> DNSTAP = KEYS.optional(
            "dnstap",
            DnstapKeys.DNSTAP,
            "dnstap output of queries and answers; off by default",
            config -> config.logging().dnstap());
    public static final Key<List<TsigKeyConfig>> TSIG_KEYS = KEYS.optional(
            "keys",
            TsigKeyKeys.TSIG_KEYS,
            List.of(),
            "TSIG keys that other servers use to sign their messages; signed queries get signed answers",
            config -> config.control().keys());
    private static final Key<Integer> TRANSFERS = KEYS.optional(
            "transfers",
            Scalars.integer(1, DnsControlConfig.MAX_TRANSFERS),
            DnsControlConfig.DEFAULT_TRANSFERS,
            "maximum number of concurrent zone transfers; further transfers are refused",
            config -> config.control().transfers());

    static {
        KEYS.atLeastOne(ZONES, FORWARD);
    }

    static {
        KEYS.onReload(ReloadEffect.IMMEDIATE);
        KEYS.onReload(ReloadEffect.NEEDS_RESTART, UDP);
    }

    public static final Type<DnsConfig> DNS = KEYS.build(DnsKeys::build);

    private DnsKeys() {}

    private static void requireMembers(Values values) {
        List<ZoneConfig> zones = values.find(ZONES).orElse(List.of());
        Set<String> names = zones.stream().map(ZoneConfig::name).collect(Collectors.toSet());
        for (ZoneConfig zone : zones) {
            for (CatalogMember each : zone.members()) {
                String member = each.zone();
                if (!names.contains(member) || member.equals(zone.name())) {
                    values.reading()
                            .mismatch(
                                    values.node(ZONES),
                                    "'" + member + "', which " + zone.name()
                                            + " lists as a member, to be another configured zone");
                }
            }
        }
    }

    private static DnsConfig build(Values values) {
        requireMembers(values);
        return new DnsConfig(
                values.get(LISTENERS),
                values.get(UDP),
                values.get(TCP),
                values.find(ZONES).orElse(List.of()),
                values.find(FORWARD),
                values.find(NSID),
                values.find(IDENTITY),
                values.find(VERSION),
                values.get(COOKIES),
                values.find(RATE_LIMIT),
                values.get(ECS_TRUSTED),
                new DnsLogging(values.get(QUERY_LOG), values.find(DNSTAP)),
                new DnsControlConfig(values.get(TSIG_KEYS), values.get(TRANSFERS)));
    }
}
