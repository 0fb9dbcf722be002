package io.ballast.config.keys.policy;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.config.address.AddressEntry;
import java.util.List;
import java.util.Map;

/** The keys of {@code policies.NAME.ip}. */
final class AddressListKeys {

    private static final ShapeBuilder<AddressListConfig> KEYS = Shape.named(
            "ip_policy",
            "Addresses of clients that are allowed or denied. Allowed clients take precedence; denied clients get 403.");

    private static final Type<List<AddressEntry>> ENTRIES = ListType.of(AddressEntryKeys.ENTRY);
    /** The denied clients; an empty list means all clients. */
    private static final Type<List<AddressEntry>> DENIED = new BriefType<>(
            Scalars.choice(Map.of("all", List.<AddressEntry>of()), entries -> "all"),
            ListType.atLeastOne(AddressEntryKeys.ENTRY),
            List::isEmpty);

    private static final Key<List<AddressEntry>> ALLOW = KEYS.optional(
            "allow",
            ENTRIES,
            List.of(),
            "networks, files of networks, countries and autonomous systems whose clients pass in any case",
            AddressListConfig::allow);
    private static final Key<List<AddressEntry>> DENY = KEYS.required(
            "deny",
            DENIED,
            "networks, files of networks, countries and autonomous systems whose clients are refused; all: every client"
                    + " that is not allowed",
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
        List<AddressEntry> denied = values.find(DENY).orElse(List.of());
        return new AddressListConfig(values.get(ALLOW), denied, /* denyAll= */ denied.isEmpty(), values.get(CLOSE));
    }
}
