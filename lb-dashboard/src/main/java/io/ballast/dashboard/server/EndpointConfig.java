package io.ballast.dashboard.server;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.ListenerTls;
import java.util.List;
import java.util.Optional;

/**
 * Where an endpoint listens.
 *
 * @param key of the configuration, for messages
 * @param bind port 0 asks for any
 * @param tls absent for plain HTTP
 * @param audience for whom it is there
 * @param hosts names under which it may be asked for, besides those of its address
 */
public record EndpointConfig(
        String key, HostPort bind, Optional<ListenerTls> tls, Audience audience, List<String> hosts) {

    public EndpointConfig {
        hosts = List.copyOf(hosts);
    }

    /** For whom an endpoint is there. */
    public enum Audience {
        /** For this machine: it listens on loopback addresses alone. */
        THIS_MACHINE,
        /** For those who are known, wherever they are: it is asked for by addresses and by names that are known too. */
        OTHER_MACHINES,
        /** For everyone who reaches it, by whatever name. */
        EVERYONE
    }
}
