package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.Addresses;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.HostPort;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteConfig;
import io.ballast.policy.config.BasicConfig;
import io.ballast.policy.config.CombinationConfig;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.PolicyRule;
import io.ballast.policy.config.RequestRateConfig;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Warns about policies that are valid but probably do not have the intended effect. */
final class PolicyWarnings {

    private final BallastConfig config;
    private final ReadContext reading;

    private PolicyWarnings(BallastConfig config, ReadContext reading) {
        this.config = config;
        this.reading = reading;
    }

    /**
     * Reports policies that are not used, passwords without TLS, limits by client where all clients have the same
     * address, and caches together with filters.
     */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        if (!reading.isComplete() || reading.hasErrors() || config.policies().isEmpty()) {
            return;
        }
        Set<String> used = reading.policies().usedNames();
        entries(root).forEach((name, entry) -> {
            if (!used.contains(name)) {
                reading.warning(entry, "no listener, route, pool or combination uses this policy");
            }
        });
        PolicyWarnings warnings = new PolicyWarnings(config, reading);
        CacheWarnings caches = new CacheWarnings(config, reading);
        List<Node> nodes = root.entry("listeners").map(Node.Entry::value).orElse(root) instanceof Node.Sequence all
                ? all.items()
                : List.of();
        for (int i = 0; i < Math.min(nodes.size(), config.listeners().size()); i++) {
            warnings.check(config.listeners().get(i), nodes.get(i));
            caches.check(config.listeners().get(i), nodes.get(i));
        }
    }

    private static Map<String, Node.Entry> entries(Node.Mapping root) {
        return root.entry("policies")
                .map(Node.Entry::value)
                .filter(Node.Mapping.class::isInstance)
                .map(Node.Mapping.class::cast)
                .map(Node.Mapping::entries)
                .orElse(Map.of());
    }

    private void check(ListenerConfig listener, Node node) {
        boolean hasProxy =
                !listener.trustedProxies().isEmpty() || listener.proxyProtocol().isPresent();
        if (hasProxy) {
            return;
        }
        boolean isLocal = !(listener.bind() instanceof HostPort address) || Addresses.isLoopback(address);
        for (String name : used(listener)) {
            PolicyConfig policy = config.policies().get(name);
            if (policy == null) {
                continue;
            }
            if (isLocal && isByClient(policy.rule())) {
                reading.warning(
                        node,
                        "only programs of this machine, such as a proxy, can connect; without trusted_proxies, policy '"
                                + name + "' counts their requests as those of one client");
            }
            if (!isLocal && listener.tls().isEmpty() && policy.rule() instanceof BasicConfig) {
                reading.warning(
                        node,
                        "policy '" + name + "' asks for passwords without TLS (expected: tls, or trusted_proxies)");
            }
        }
    }

    private static boolean isByClient(PolicyRule rule) {
        return (rule instanceof RequestRateConfig rate && rate.key().equals(List.of(LimitKey.CLIENT)))
                || (rule instanceof ConcurrencyConfig limit && limit.key().equals(List.of(LimitKey.CLIENT)));
    }

    /** Returns the policies of a listener and of its routes, and the members of their combinations. */
    private Set<String> used(ListenerConfig listener) {
        Set<String> names = new LinkedHashSet<>(listener.policies());
        listener.routes().stream().map(RouteConfig::policies).forEach(names::addAll);
        for (String name : new ArrayList<>(names)) {
            addMembers(name, names);
        }
        return names;
    }

    private void addMembers(String name, Set<String> names) {
        PolicyConfig policy = config.policies().get(name);
        if (policy != null && policy.rule() instanceof CombinationConfig combination) {
            for (String member : combination.policies()) {
                if (names.add(member)) {
                    addMembers(member, names);
                }
            }
        }
    }
}
