package io.ballast.config.keys.policy;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.net.Cidr;
import io.ballast.policy.config.AddressListConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code policies.NAME.ip}. */
final class AddressListKeys {

    private static final ShapeBuilder<AddressListConfig> KEYS = Shape.named(
            "ip_policy",
            "Networks of clients that are allowed or denied. Allowed networks take precedence; denied clients get 403.");

    private static final Type<List<Cidr>> NETWORKS = ListType.of(Networks.NETWORK);
    /** An empty list stands for all clients. */
    private static final Type<List<Cidr>> DENIED = new BriefType<>(
            Scalars.choice(Map.of("all", List.<Cidr>of()), networks -> "all"),
            ListType.atLeastOne(Networks.NETWORK),
            List::isEmpty);

    private static final Key<List<Cidr>> ALLOW =
            KEYS.optional("allow", NETWORKS, List.of(), "networks that pass in any case", AddressListConfig::allow);
    private static final Key<List<Cidr>> DENY = KEYS.required(
            "deny",
            DENIED,
            "networks that are refused; all: every client that is not allowed",
            AddressListConfig::deny);
    private static final Key<Boolean> CLOSE = KEYS.optional(
            "close",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: the connection of a refused HTTP/1.1 client closes after the response",
            AddressListConfig::closes);

    static final Type<AddressListConfig> IP = KEYS.build(AddressListKeys::build);

    private AddressListKeys() {}

    private static AddressListConfig build(Values values) {
        Optional<List<Cidr>> denied = values.find(DENY);
        return new AddressListConfig(
                values.get(ALLOW),
                denied.orElse(List.of()),
                denied.orElse(List.of()).isEmpty(),
                values.get(CLOSE));
    }
}
