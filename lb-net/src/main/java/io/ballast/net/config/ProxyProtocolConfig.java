package io.ballast.net.config;

import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * Connections come through proxies that begin each with a header of the PROXY protocol, version 1 or 2. Every connection
 * must: a client that could leave the header out, or send one of its own, could choose who to be.
 *
 * @param trusted the proxies; connections from elsewhere are closed. Empty for a Unix socket, whose file says who may
 *     connect, and for nothing else
 */
public record ProxyProtocolConfig(List<Cidr> trusted) {

    public ProxyProtocolConfig {
        trusted = List.copyOf(trusted);
    }
}
