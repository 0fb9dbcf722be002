package io.ballast.config.keys.http;

import io.ballast.config.key.Key;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.http.config.ListenerProtocol;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reports the keys of a listener that have no effect with its protocol, each at its location.
 */
final class ProtocolScope {

    private static final List<String> HTTP_LOG_FORMATS = List.of("common", "combined", "combined_tls");
    private static final Set<String> SUPPORTED_ALPN = Set.of("h2", "http/1.1");

    private final String protocol;
    private final ReadContext reading;

    private ProtocolScope(ListenerProtocol protocol, ReadContext reading) {
        this.protocol = protocol.name().toLowerCase(Locale.ROOT);
        this.reading = reading;
    }

    /** Reports settings of a listener that do not apply to its protocol. */
    static void check(Node.Mapping listener, ListenerProtocol protocol, ReadContext reading) {
        ProtocolScope scope = new ProtocolScope(protocol, reading);
        if (protocol == ListenerProtocol.HTTP) {
            scope.refuse(listener, Set.of("session"));
            scope.checkLogFormat(listener, "text", "json, common, combined, combined_tls");
            scope.checkListenerAlpn(scope.child(scope.child(listener, "tls"), "alpn"));
        } else {
            scope.refuse(listener, names(ListenerKeys.HTTP_ONLY));
            scope.refuse(scope.child(listener, "limits"), names(LimitKeys.HTTP_ONLY));
            for (String format : HTTP_LOG_FORMATS) {
                scope.checkLogFormat(listener, format, "json, text");
            }
        }
        if (protocol == ListenerProtocol.UDP) {
            scope.refuse(listener, Set.of("proxy_protocol", "tls"));
            scope.refuse(scope.child(listener, "session"), Set.of("start"));
        }
        if (protocol == ListenerProtocol.TCP) {
            scope.refuse(scope.child(listener, "tls"), Set.of("hsts", "plain_http"));
        }
        if (protocol == ListenerProtocol.TCP && listener.entries().containsKey("tls")) {
            scope.checkRouteAlpn(
                    scope.child(listener, "routes"), texts(scope.child(scope.child(listener, "tls"), "alpn")));
        }
        if (scope.child(listener, "routes") instanceof Node.Sequence routes) {
            routes.items().forEach(route -> scope.checkRoute(route, protocol));
        }
    }

    private void checkLogFormat(Node listener, String refused, String expected) {
        Node format = child(child(listener, "access_log"), "format");
        if (texts(format).contains(refused)) {
            reading.error(
                    format,
                    "'" + refused + "' is not supported with protocol " + protocol + " (expected: " + expected + ")");
        }
    }

    /** Reports protocols other than the two HTTP versions that the balancer supports over TLS. */
    private void checkListenerAlpn(Node offered) {
        for (String protocol : texts(offered)) {
            if (!SUPPORTED_ALPN.contains(protocol)) {
                reading.error(
                        offered, "'" + protocol + "' is not supported with protocol http (expected: h2, http/1.1)");
            }
        }
    }

    /**
     * Reports each ALPN protocol that a route requires but the listener does not offer, because no handshake can
     * negotiate it.
     */
    private void checkRouteAlpn(Node routes, Set<String> offered) {
        if (!(routes instanceof Node.Sequence all)) {
            return;
        }
        for (Node route : all.items()) {
            Node wanted = child(child(route, "match"), "alpn");
            for (String protocol : texts(wanted)) {
                if (!offered.contains(protocol)) {
                    reading.error(
                            wanted,
                            "'" + protocol
                                    + "' cannot be negotiated, because the listener does not offer it (expected: a protocol of tls.alpn)");
                }
            }
        }
    }

    private static Set<String> texts(Node node) {
        if (node instanceof Node.Scalar scalar) {
            return Set.of(scalar.text());
        }
        return node instanceof Node.Sequence sequence
                ? sequence.items().stream()
                        .flatMap(item -> texts(item).stream())
                        .collect(Collectors.toCollection(LinkedHashSet::new))
                : Set.of();
    }

    private void checkRoute(Node route, ListenerProtocol protocol) {
        Node match = child(route, "match");
        if (protocol != ListenerProtocol.HTTP) {
            refuse(route, names(RouteKeys.HTTP_ONLY));
            refuse(match, names(MatchKeys.HTTP_ONLY));
        }
        if (protocol != ListenerProtocol.TCP) {
            refuse(match, names(MatchKeys.TCP_ONLY));
        }
    }

    /** Returns the node of a key, or an empty node if the key is absent. */
    private Node child(Node node, String key) {
        return node instanceof Node.Mapping mapping && mapping.entries().containsKey(key)
                ? mapping.entries().get(key).value()
                : new Node.Invalid(node.place(), node.path());
    }

    private static Set<String> names(List<Key<?>> keys) {
        return keys.stream().map(Key::name).collect(Collectors.toSet());
    }

    private void refuse(Node node, Set<String> keys) {
        if (node instanceof Node.Mapping mapping) {
            mapping.entries().forEach((key, entry) -> {
                if (keys.contains(key)) {
                    reading.error(mapping, entry, "'" + key + "' is not supported with protocol " + protocol);
                }
            });
        }
    }
}
