package io.ballast.config.keys.dns;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.Key;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.ProxyProtocolKeys;
import io.ballast.config.keys.common.TlsKeys;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.net.config.ProxyProtocolConfig;
import java.nio.file.Path;
import java.util.Optional;

/** The keys of {@code dns.listeners[]}. */
final class DnsListenerKeys {

    private static final String PURPOSE = "DNS listener";

    private static final ShapeBuilder<DnsListenerConfig> KEYS =
            Shape.named("dns_listener", "A listener for DNS clients.");

    private static final Key<HostPort> BIND = KEYS.required(
            "bind",
            Addresses.bind(PURPOSE),
            "the address to listen on; `0.0.0.0` accepts clients on all IPv4 addresses, `[::]` on all IPv6 addresses only;"
                    + " for both, use two listeners",
            DnsListenerConfig::bind);
    private static final Key<Protocol> PROTOCOL = KEYS.optional(
            "protocol",
            EnumWords.of(Protocol.class),
            Protocol.DNS,
            "dns (over UDP and TCP), dot (DNS over TLS), or doh (DNS over HTTPS, at /dns-query)",
            DnsListenerConfig::protocol);
    private static final Key<TlsFiles> TLS =
            KEYS.optional("tls", TlsKeys.TLS, "certificate and key; required for dot and doh", DnsListenerConfig::tls);
    private static final Key<ProxyProtocolConfig> PROXY_PROTOCOL = KEYS.optional(
            "proxy_protocol",
            ProxyProtocolKeys.PROXY_PROTOCOL,
            "requires a PROXY protocol header with the client's address from trusted proxies; off by default",
            DnsListenerConfig::proxyProtocol);

    static {
        KEYS.onReload(ReloadEffect.NEW_CONNECTIONS);
        KEYS.onReload(ReloadEffect.REPLACES_OBJECT, BIND, PROTOCOL);
    }

    static final Type<DnsListenerConfig> LISTENER = KEYS.build(DnsListenerKeys::build);

    /**
     * Placeholder for files that could not be read. The error has been reported, and this value prevents further
     * errors.
     */
    private static final TlsFiles PLACEHOLDER = new TlsFiles(Path.of("reported"), Path.of("reported"));

    private DnsListenerKeys() {}

    private static DnsListenerConfig build(Values values) {
        Optional<TlsFiles> tls = values.isInvalid(TLS) ? Optional.of(PLACEHOLDER) : values.find(TLS);
        Protocol protocol = values.isInvalid(PROTOCOL) && tls.isPresent() ? Protocol.DOT : values.get(PROTOCOL);
        if (protocol == Protocol.DNS) {
            values.reading().ports().bindDatagrams(PURPOSE, values.get(BIND), values.node(BIND), values.reading());
        }
        if (values.has(PROXY_PROTOCOL)) {
            ProxyProtocolKeys.requireTrusted(values.node(PROXY_PROTOCOL), values.reading());
        }
        return new DnsListenerConfig(values.get(BIND), protocol, tls, values.find(PROXY_PROTOCOL));
    }
}
