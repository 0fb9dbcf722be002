package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.PoolConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks that the pools of encrypted DNS upstreams have TLS settings. */
final class SecuredUpstreams {

    private static final Set<String> SECURED = Arrays.stream(Protocol.values())
            .filter(Protocol::usesTls)
            .map(protocol -> protocol.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());

    /** The nodes of the file with the names of pools that are queried over TLS. */
    private final Set<Node> pools = Collections.newSetFromMap(new IdentityHashMap<>());

    private SecuredUpstreams() {}

    /** Reports each pool without TLS settings whose backends are queried over TLS. */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        SecuredUpstreams check = new SecuredUpstreams();
        child(root, "dns").flatMap(dns -> child(dns, "forward")).ifPresent(check::add);
        reading.pools()
                .refuse(
                        name -> Optional.ofNullable(config.pools().get(name))
                                .map(PoolConfig::tls)
                                .filter(Optional::isEmpty)
                                .isPresent(),
                        check.pools::contains,
                        "has no tls (expected: a pool with tls, which the protocols dot and doh require)",
                        reading);
    }

    private void add(Node forward) {
        boolean secured = child(forward, "protocol")
                .filter(protocol -> protocol instanceof Node.Scalar word && SECURED.contains(word.text()))
                .isPresent();
        if (secured) {
            child(forward, "pool").ifPresent(pools::add);
        }
        child(forward, "routes").ifPresent(routes -> {
            if (routes instanceof Node.Sequence all) {
                all.items().forEach(this::add);
            }
        });
    }

    private static Optional<Node> child(Node node, String key) {
        return node instanceof Node.Mapping mapping ? mapping.entry(key).map(Node.Entry::value) : Optional.empty();
    }
}
