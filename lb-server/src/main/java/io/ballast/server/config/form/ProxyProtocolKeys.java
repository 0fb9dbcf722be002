package io.ballast.server.config.form;

import io.ballast.core.config.ProxyProtocolConfig;
import io.ballast.core.net.Cidr;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.ListType;
import io.ballast.server.config.key.Networks;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import java.util.List;

/** {@code proxy_protocol}. */
final class ProxyProtocolKeys {

    private static final ShapeBuilder<ProxyProtocolConfig> KEYS = Shape.named(
            "proxy_protocol", "Connections begin with a header of the PROXY protocol, version 1 or 2, or are closed.");

    private static final Key<List<Cidr>> TRUSTED = KEYS.required(
            "trusted",
            ListType.atLeastOne(Networks.NETWORK),
            "the proxies; connections from elsewhere are closed",
            ProxyProtocolConfig::trusted);

    static final Type<ProxyProtocolConfig> PROXY_PROTOCOL =
            KEYS.build(values -> new ProxyProtocolConfig(values.get(TRUSTED)));

    private ProxyProtocolKeys() {}
}
