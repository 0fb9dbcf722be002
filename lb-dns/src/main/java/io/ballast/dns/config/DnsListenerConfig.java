package io.ballast.dns.config;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.config.ProxyProtocolConfig;
import java.util.Optional;

/**
 * A listener for DNS clients.
 *
 * @param bind the address; used for UDP and TCP with {@link Protocol#DNS}, otherwise only for TCP
 * @param protocol the protocol of the listener
 * @param tls certificate and TLS settings; present unless the protocol is {@link Protocol#DNS}
 * @param proxyProtocol trusted proxies for TCP; absent if clients connect directly
 */
public record DnsListenerConfig(
        HostPort bind, Protocol protocol, Optional<TlsFiles> tls, Optional<ProxyProtocolConfig> proxyProtocol) {

    /** The protocol of a listener. */
    public enum Protocol {
        /** Unencrypted DNS over UDP and TCP. */
        DNS,
        /** DNS over TLS. */
        DOT,
        /** DNS over HTTPS. */
        DOH
    }

    public DnsListenerConfig {
        Checks.that(protocol != Protocol.DNS || tls.isEmpty(), "tls", "given", "only with protocol dot or doh");
        Checks.that(
                protocol == Protocol.DNS || tls.isPresent(),
                "tls",
                "missing",
                "a certificate and a key, required for protocol dot or doh");
    }

    /** Returns an unencrypted DNS listener for clients that connect directly, without a proxy. */
    public static DnsListenerConfig plain(HostPort bind) {
        return new DnsListenerConfig(bind, Protocol.DNS, Optional.empty(), Optional.empty());
    }
}
