package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.PoolConfig;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the use of pools whose backends are Unix sockets. Such pools can serve HTTP and TCP; UDP and DNS
 * answers need IP addresses.
 */
final class UnixBackends {

    private static final String UDP = "udp";

    /** The nodes of the file that refer to pools whose backends must have IP addresses. */
    private final Set<Node> nodesNeedingAddresses = Collections.newSetFromMap(new IdentityHashMap<>());

    private UnixBackends() {}

    /** Reports each use of a pool with Unix sockets where IP addresses are required. */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        if (config.pools().values().stream().noneMatch(PoolConfig::hasUnixSockets)) {
            return;
        }
        UnixBackends backends = new UnixBackends();
        backends.addFrontends(root);
        reading.pools()
                .refuse(
                        name -> Optional.ofNullable(config.pools().get(name))
                                .filter(PoolConfig::hasUnixSockets)
                                .isPresent(),
                        backends.nodesNeedingAddresses::contains,
                        "has backends on Unix sockets (expected: a pool whose backends have network addresses)",
                        reading);
    }

    private void addFrontends(Node.Mapping root) {
        root.entry("dns").ifPresent(dns -> add(dns.value()));
        root.entry("listeners").ifPresent(listeners -> {
            if (listeners.value() instanceof Node.Sequence all) {
                all.items().stream().filter(UnixBackends::isUdpListener).forEach(this::add);
            }
        });
    }

    private static boolean isUdpListener(Node listener) {
        return listener instanceof Node.Mapping mapping
                && mapping.entry("protocol")
                        .filter(entry -> entry.value() instanceof Node.Scalar protocol
                                && protocol.text().equals(UDP))
                        .isPresent();
    }

    private void add(Node node) {
        nodesNeedingAddresses.add(node);
        if (node instanceof Node.Mapping mapping) {
            mapping.entries().values().forEach(entry -> add(entry.value()));
        } else if (node instanceof Node.Sequence sequence) {
            sequence.items().forEach(this::add);
        }
    }
}
