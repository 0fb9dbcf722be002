package io.ballast.core.config;

import io.ballast.core.Checks;

/**
 * A host name or address literal with a port, not resolved. IPv6 literals are stored without brackets and
 * printed with brackets.
 *
 * @param host a name, an IPv4 or an IPv6 literal; never empty
 * @param port 0 to 65535; 0 requests any free port and is useful only for listening
 */
public record HostPort(String host, int port) implements Address {

    public HostPort {
        Checks.that(!host.isEmpty(), "host", "''", "a name or an address");
        Checks.between(port, 0, 65535, "port");
    }

    @Override
    public String authority() {
        return toString();
    }

    /** The host without the port, with brackets around an IPv6 literal. */
    public String bracketedHost() {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** Prints {@code host:port}, with brackets around an IPv6 literal. */
    @Override
    public String toString() {
        return bracketedHost() + ":" + port;
    }
}
