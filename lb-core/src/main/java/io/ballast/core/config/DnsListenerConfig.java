package io.ballast.core.config;

import java.util.Optional;

/**
 * Where resolvers come in.
 *
 * @param bind the address, served on UDP and TCP alike
 * @param proxyProtocol which proxies speak for their clients on TCP; absent if clients connect themselves
 */
public record DnsListenerConfig(HostPort bind, Optional<ProxyProtocolConfig> proxyProtocol) {

    /** A listener that clients connect to themselves. */
    public static DnsListenerConfig plain(HostPort bind) {
        return new DnsListenerConfig(bind, Optional.empty());
    }
}
