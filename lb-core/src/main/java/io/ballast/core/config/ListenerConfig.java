package io.ballast.core.config;

import java.util.List;

/**
 * Where HTTP clients come in.
 *
 * @param name unique among listeners; label of its metrics (default: its bind address)
 * @param bind the address to listen on
 * @param routes tried by specificity, then in the order of the file; at least one
 * @param deadlines how long a client may take
 * @param limits how much a client may ask for
 * @param forwarding what is said to backends about the client
 */
public record ListenerConfig(
        String name,
        HostPort bind,
        List<RouteConfig> routes,
        ClientDeadlines deadlines,
        ClientLimits limits,
        Forwarding forwarding) {

    public static final Forwarding DEFAULT_FORWARDING = Forwarding.OVERWRITE;

    public ListenerConfig {
        routes = List.copyOf(routes);
    }
}
