package io.ballast.server.config.form;

import io.ballast.core.config.DnsListenerConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.ProxyProtocolConfig;
import io.ballast.server.config.key.Addresses;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;

/** {@code dns.listeners[]}. */
final class DnsListenerKeys {

    private static final ShapeBuilder<DnsListenerConfig> KEYS =
            Shape.named("dns_listener", "An address served on UDP and TCP alike.");

    private static final Key<HostPort> BIND =
            KEYS.required("bind", Addresses.bind("DNS listener"), "the address to listen on", DnsListenerConfig::bind);
    private static final Key<ProxyProtocolConfig> PROXY_PROTOCOL = KEYS.optional(
            "proxy_protocol",
            ProxyProtocolKeys.PROXY_PROTOCOL,
            "TCP connections come through proxies that say who the client is; none by default",
            DnsListenerConfig::proxyProtocol);

    static final Type<DnsListenerConfig> LISTENER =
            KEYS.build(values -> new DnsListenerConfig(values.get(BIND), values.find(PROXY_PROTOCOL)));

    private DnsListenerKeys() {}
}
