package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.HostPort;
import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.source.ListenerStats;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Logs the addresses at which a load balancer serves, one line for each, so that a user can open or query
 * them.
 */
public final class ServedAddresses {

    private ServedAddresses() {}

    /** Returns the log lines with the addresses of a running balancer. */
    public static List<String> of(Balancer balancer) {
        return lines(
                balancer.config(),
                balancer.listeners.stream().collect(Collectors.toMap(ListenerStats::name, ListenerStats::address)),
                balancer.dashboardPart().dashboard().flatMap(Dashboard::address));
    }

    /**
     * Returns the log lines that list the served addresses, without time and log level.
     *
     * @param bound the addresses of listeners by name, with the ports that the system chose
     * @param dashboard the address of the dashboard; empty if there is none
     */
    public static List<String> lines(
            BallastConfig config, Map<String, String> bound, Optional<InetSocketAddress> dashboard) {
        List<String> lines = new ArrayList<>();
        for (ListenerConfig listener : config.listeners()) {
            String address = bound.getOrDefault(listener.name(), listener.bind().toString());
            lines.add("serves=" + scheme(listener) + "://" + address + " listener=" + listener.name());
        }
        for (DnsListenerConfig listener : config.dns().map(DnsConfig::listeners).orElse(List.of())) {
            lines.add("serves=" + listener.protocol().name().toLowerCase(Locale.ROOT) + "://" + listener.bind());
        }
        dashboard.ifPresent(address -> lines.add("dashboard="
                + (config.dashboard().tls().isPresent() ? "https" : "http") + "://"
                + new HostPort(config.dashboard().bind().host(), address.getPort()) + "/"));
        return lines;
    }

    private static String scheme(ListenerConfig listener) {
        if (listener.protocol() == ListenerProtocol.HTTP) {
            return listener.tls().isPresent() ? "https" : "http";
        }
        return listener.protocol().name().toLowerCase(Locale.ROOT);
    }
}
