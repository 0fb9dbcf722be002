package io.ballast.config.keys.common;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import io.ballast.core.net.Cidr;
import io.ballast.net.config.ProxyProtocolConfig;
import java.util.List;

/** The keys of {@code proxy_protocol}. */
public final class ProxyProtocolKeys {

    private static final ShapeBuilder<ProxyProtocolConfig> KEYS = Shape.named(
            "proxy_protocol",
            "Connections must begin with a PROXY protocol header, version 1 or 2; other connections are closed.");

    static final String TRUSTED_NAME = "trusted";

    private static final Key<List<Cidr>> TRUSTED = KEYS.optional(
            TRUSTED_NAME,
            ListType.atLeastOne(Networks.NETWORK),
            "addresses of the proxies; connections from other addresses are closed. Required, except with a Unix"
                    + " socket, where it is not allowed",
            HeaderKeys.omitting(List.of(), ProxyProtocolConfig::trusted));

    public static final Type<ProxyProtocolConfig> PROXY_PROTOCOL =
            KEYS.build(values -> new ProxyProtocolConfig(values.find(TRUSTED).orElse(List.of())));

    private ProxyProtocolKeys() {}

    /** Reports a missing list of trusted proxies. Must be called only for listeners whose peers have IP addresses. */
    public static void requireTrusted(Node node, ReadContext reading) {
        if (node instanceof Node.Mapping proxies && proxies.entry(TRUSTED_NAME).isEmpty()) {
            reading.error(proxies, "missing key '" + TRUSTED_NAME + "'");
        }
    }
}
