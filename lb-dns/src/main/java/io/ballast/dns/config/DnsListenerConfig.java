package io.ballast.dns.config;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.config.ProxyProtocolConfig;
import java.util.Optional;

/**
 * Where resolvers come in.
 *
 * @param bind the address; with {@link Protocol#DNS} served on UDP and TCP alike, else on TCP alone
 * @param protocol what is spoken there
 * @param tls what the server proves its name with; there unless the protocol is {@link Protocol#DNS}
 * @param proxyProtocol which proxies speak for their clients on TCP; absent if clients connect themselves
 */
public record DnsListenerConfig(
        HostPort bind, Protocol protocol, Optional<TlsFiles> tls, Optional<ProxyProtocolConfig> proxyProtocol) {

    /** The protocol of a listener. */
    public enum Protocol {
        /** UDP and TCP. */
        DNS,
        /** DNS over TLS. */
        DOT,
        /** DNS over HTTPS. */
        DOH
    }

    public DnsListenerConfig {
        Checks.that(protocol != Protocol.DNS || tls.isEmpty(), "tls", "given", "none unless protocol is dot or doh");
        Checks.that(protocol == Protocol.DNS || tls.isPresent(), "tls", "missing", "certificate and key");
    }

    /** A listener for clients that connect themselves, without encryption. */
    public static DnsListenerConfig plain(HostPort bind) {
        return new DnsListenerConfig(bind, Protocol.DNS, Optional.empty(), Optional.empty());
    }
}
