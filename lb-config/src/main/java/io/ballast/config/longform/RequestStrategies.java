package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.PoolConfig;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/** Reports pools that serve TCP or UDP sessions although their strategy needs HTTP requests. */
final class RequestStrategies {

    private static final Set<String> SESSIONS = Set.of("tcp", "udp");

    /** The nodes of the file in which a TCP or UDP listener refers to a pool. */
    private final Set<Node> sessions = Collections.newSetFromMap(new IdentityHashMap<>());

    private RequestStrategies() {}

    /** Reports each reference from a TCP or UDP listener to a pool whose strategy needs HTTP requests. */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        if (config.pools().values().stream().noneMatch(RequestStrategies::needsRequests)) {
            return;
        }
        RequestStrategies strategies = new RequestStrategies();
        root.entry("listeners").ifPresent(listeners -> {
            if (listeners.value() instanceof Node.Sequence all) {
                all.items().stream()
                        .filter(RequestStrategies::isSessionListener)
                        .forEach(strategies::add);
            }
        });
        reading.pools()
                .refuse(
                        name -> Optional.ofNullable(config.pools().get(name))
                                .filter(RequestStrategies::needsRequests)
                                .isPresent(),
                        strategies.sessions::contains,
                        "has a strategy that works only with HTTP requests (expected: a pool with another strategy)",
                        reading);
    }

    private static boolean needsRequests(PoolConfig pool) {
        return pool.strategy().needsRequests();
    }

    private static boolean isSessionListener(Node listener) {
        return listener instanceof Node.Mapping mapping
                && mapping.entry("protocol")
                        .filter(entry ->
                                entry.value() instanceof Node.Scalar protocol && SESSIONS.contains(protocol.text()))
                        .isPresent();
    }

    private void add(Node node) {
        sessions.add(node);
        if (node instanceof Node.Mapping mapping) {
            mapping.entries().values().forEach(entry -> add(entry.value()));
        } else if (node instanceof Node.Sequence sequence) {
            sequence.items().forEach(this::add);
        }
    }
}
