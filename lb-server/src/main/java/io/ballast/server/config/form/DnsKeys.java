package io.ballast.server.config.form;

import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.ZoneConfig;
import io.ballast.server.config.key.Addresses;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.ListType;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import java.util.List;

/** {@code dns}. */
final class DnsKeys {

    private static final ShapeBuilder<HostPort> LISTENER_KEYS =
            Shape.named("dns_listener", "An address served on UDP and TCP alike.");
    private static final Key<HostPort> BIND =
            LISTENER_KEYS.required("bind", Addresses.bind("DNS listener"), "the address to listen on", bind -> bind);
    private static final Shape<HostPort> LISTENER = LISTENER_KEYS.build(values -> values.get(BIND));

    private static final ShapeBuilder<DnsConfig> KEYS = Shape.named("dns", "The DNS frontend.");
    private static final Key<List<HostPort>> LISTENERS =
            KEYS.required("listeners", ListType.atLeastOne(LISTENER), "where resolvers come in", DnsConfig::listeners);
    private static final Key<List<ZoneConfig>> ZONES = KEYS.required(
            "zones",
            ListType.atLeastOne(ZoneKeys.ZONE).unique("zone", ZoneConfig::name),
            "what it is authoritative for",
            DnsConfig::zones);

    static final Type<DnsConfig> DNS = KEYS.build(values -> new DnsConfig(values.get(LISTENERS), values.get(ZONES)));

    private DnsKeys() {}
}
