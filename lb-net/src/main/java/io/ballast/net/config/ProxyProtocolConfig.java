package io.ballast.net.config;

import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * Settings for connections that come through proxies. Each connection starts with a PROXY protocol header,
 * version 1 or 2. The header is required: a client that could omit it, or send its own, could choose its
 * address.
 *
 * @param trusted the proxies; connections from other addresses are closed. Empty only for a Unix socket,
 *     where the file permissions decide
 */
public record ProxyProtocolConfig(List<Cidr> trusted) {

    public ProxyProtocolConfig {
        trusted = List.copyOf(trusted);
    }
}
