package io.ballast.dashboard.server;

import io.ballast.core.config.HostPort;
import io.ballast.net.config.ListenerTls;
import java.util.List;
import java.util.Optional;

/**
 * The address of an endpoint and its TLS settings.
 *
 * @param configKey the configuration key, for messages
 * @param bind the listen address; port 0 selects a free port
 * @param tls the TLS settings; absent for plain HTTP
 * @param audience the clients that may connect
 * @param hosts accepted host names, in addition to those of the address
 */
public record EndpointConfig(
        String configKey, HostPort bind, Optional<ListenerTls> tls, Audience audience, List<String> hosts) {

    public EndpointConfig {
        hosts = List.copyOf(hosts);
    }

    /** The clients that an endpoint serves. */
    public enum Audience {
        /** Only this machine: the address must be a loopback address. */
        THIS_MACHINE,
        /** Authenticated clients on any machine. The Host header must be an IP address or a configured name. */
        OTHER_MACHINES,
        /** All clients, with any Host header. */
        EVERYONE
    }
}
