package io.ballast.config.keys.policy;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.policy.config.AddressListConfig;

/** Checks that a geolocation database is configured if a policy decides by the locations of clients. */
public final class LocatedPolicies {

    private LocatedPolicies() {}

    /** Reports every policy that requires a database, if the configuration has none. */
    public static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        boolean hasDatabase =
                config.geo().filter(geo -> !geo.databases().isEmpty()).isPresent();
        if (hasDatabase || !reading.isComplete()) {
            return;
        }
        config.policies().forEach((name, policy) -> {
            if (policy.rule() instanceof AddressListConfig list
                    && !list.locations().isEmpty()) {
                reading.error(
                        node(root, name),
                        "countries and autonomous systems require a database (expected: geo.database)");
            }
        });
    }

    /** Returns the node of the key {@code ip} in a policy; if it is not found, the innermost mapping around it. */
    private static Node node(Node.Mapping root, String policy) {
        Node node = root;
        for (String key : new String[] {"policies", policy, "ip"}) {
            if (node instanceof Node.Mapping mapping && mapping.entry(key).isPresent()) {
                node = mapping.entry(key).get().value();
            }
        }
        return node;
    }
}
