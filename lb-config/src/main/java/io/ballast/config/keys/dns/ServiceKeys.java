package io.ballast.config.keys.dns;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.dns.config.zone.HttpsConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceType;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.config.zone.TtlConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.zone.service.Service;
import java.util.List;

/** The keys of {@code dns.zones[].services[]}. */
final class ServiceKeys {

    private static final ShapeBuilder<ServiceConfig> KEYS =
            Shape.named("service", "A name whose records depend on the health of backends.");

    private static final Key<List<String>> NAMES = KEYS.required(
            "name",
            OneOrMore.of(DnsTexts.SERVICE, "name"),
            "name relative to its zone, @ for the zone itself, *.shop for all names below shop; or a list"
                    + " of names that share the same answers",
            ServiceConfig::names);
    private static final Key<ServiceType> TYPE = KEYS.optional(
            "type",
            Scalars.constant(ServiceType.class, ServiceType::label),
            ServiceType.ADDRESS,
            "type of the records: addresses, or the type of those listed under records",
            ServiceConfig::type);
    private static final RoutingKeys<ServiceConfig> ROUTING =
            new RoutingKeys<>(KEYS, TargetKeys.TARGET, ServiceConfig::target);
    private static final Key<TtlConfig> TTL = KEYS.optional(
            "ttl", TtlKeys.TTL, TtlConfig.fixed(ServiceConfig.DEFAULT_TTL), "TTL of the records", ServiceConfig::ttl);
    private static final Key<WhenAllDown> WHEN_ALL_DOWN = KEYS.optional(
            "when_all_down",
            WhenAllDownKeys.WHEN_ALL_DOWN,
            WhenAllDown.ALL,
            "the answer while no backend is healthy, separately for IPv4 and IPv6",
            ServiceConfig::whenAllDown);
    private static final Key<HttpsConfig> HTTPS = KEYS.optional(
            "https", HttpsKeys.HTTPS, "HTTPS record of the service; none by default", ServiceConfig::https);

    static final Type<ServiceConfig> SERVICE = KEYS.build(ServiceKeys::build);

    private ServiceKeys() {}

    private static ServiceConfig build(Values values) {
        List<String> names = values.get(NAMES);
        ServiceConfig service = new ServiceConfig(
                names.get(0),
                values.get(TYPE),
                ROUTING.build(values, Thresholds.DEFAULT),
                values.get(TTL),
                values.get(WHEN_ALL_DOWN),
                values.find(HTTPS),
                names.subList(1, names.size()));
        Service.check(service);
        return service;
    }

    /**
     * Returns the identities of a service, which must be unique among the services of a zone. An identity is a
     * name, followed by the record type if the service has configured records.
     */
    static List<String> identities(ServiceConfig service) {
        return service.names().stream()
                .map(name -> service.type().hasConfiguredRecords()
                        ? name + " " + service.type().label()
                        : name)
                .toList();
    }
}
