package io.ballast.config.keys.policy;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.policy.config.RequestRateConfig;

/** Checks that a cluster is configured if nodes share a rate limit. */
public final class SharedLimits {

    private SharedLimits() {}

    /** Reports every shared limit if the configuration has no cluster: such a limit would apply to each node alone. */
    public static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        if (config.cluster().isPresent() || !reading.isComplete()) {
            return;
        }
        config.policies().forEach((name, policy) -> {
            if (policy.rule() instanceof RequestRateConfig limit && limit.scope() == RequestRateConfig.Scope.CLUSTER) {
                reading.error(
                        node(root, name),
                        "scope: cluster has no effect without nodes (expected: the key cluster, or scope: node)");
            }
        });
    }

    /** Returns the node of the key {@code scope} in a policy; if it is not found, the innermost mapping around it. */
    private static Node node(Node.Mapping root, String policy) {
        Node node = root;
        for (String key : new String[] {"policies", policy, "rate_limit", "scope"}) {
            if (node instanceof Node.Mapping mapping && mapping.entry(key).isPresent()) {
                node = mapping.entry(key).get().value();
            }
        }
        return node;
    }
}
