package io.ballast.net.config;

import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * Connections come through proxies that start each with a PROXY protocol header, version 1 or 2. The header is
 * required: a client that could omit it, or send its own, could choose its address.
 *
 * @param trusted the proxies; connections from other addresses are closed. Empty for a Unix socket, whose file
 *     permissions decide, and for nothing else
 */
public record ProxyProtocolConfig(List<Cidr> trusted) {

    public ProxyProtocolConfig {
        trusted = List.copyOf(trusted);
    }
}
