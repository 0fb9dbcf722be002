package io.ballast.server.config.form;

import io.ballast.core.config.ServiceConfig;
import io.ballast.core.config.ServiceConfig.Routing;
import io.ballast.server.config.key.Durations;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import io.ballast.server.config.key.Values;
import java.time.Duration;
import java.util.Optional;

/** {@code dns.zones[].services[]}. */
final class ServiceKeys {

    private static final int MAX_ANSWERS = 1000;
    private static final String ALL = "all";

    private static final ShapeBuilder<ServiceConfig> KEYS = Shape.named("service", "A name balanced over a pool.");

    private static final Key<String> NAME = KEYS.required(
            "name", DnsTexts.RELATIVE, "relative to its zone; @ for the zone's own name", ServiceConfig::name);
    private static final Key<String> POOL =
            KEYS.required("pool", PoolReference.POOL, "whose backends are the answer", ServiceConfig::pool);
    private static final Key<Routing> ROUTING = KEYS.optional(
            "routing",
            Scalars.constant(Routing.class, Routing::label),
            Routing.ROUND_ROBIN,
            "how the addresses are chosen",
            ServiceConfig::routing);
    private static final Key<Duration> TTL = KEYS.optional(
            "ttl", Durations.SECONDS, ServiceConfig.DEFAULT_TTL, "of the address records", ServiceConfig::ttl);
    private static final Key<Integer> ANSWERS = KEYS.optional(
            "answers",
            answers(),
            "most addresses in one answer; all by default, 1 with weighted routing",
            service -> Optional.of(service.answers()));

    static final Type<ServiceConfig> SERVICE = KEYS.build(ServiceKeys::build);

    private ServiceKeys() {}

    private static Type<Integer> answers() {
        return Scalars.matchingOrNumber(
                        "number or all",
                        "all, or a number from 1 to " + MAX_ANSWERS,
                        ALL + "|[1-9][0-9]{0,2}|" + MAX_ANSWERS)
                .map(
                        text -> text.equals(ALL) ? ServiceConfig.ALL : Integer.parseInt(text),
                        answers -> answers == ServiceConfig.ALL ? ALL : answers.toString());
    }

    private static ServiceConfig build(Values values) {
        Routing routing = values.get(ROUTING);
        int answers = values.find(ANSWERS).orElse(routing == Routing.WEIGHTED ? 1 : ServiceConfig.ALL);
        return new ServiceConfig(values.get(NAME), values.get(POOL), routing, values.get(TTL), answers);
    }
}
