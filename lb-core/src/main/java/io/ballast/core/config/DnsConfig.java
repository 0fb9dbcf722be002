package io.ballast.core.config;

import java.util.List;

/**
 * The DNS frontend.
 *
 * @param listeners where resolvers come in
 * @param tcp what clients may use up that come by connections
 * @param zones what it is authoritative for
 */
public record DnsConfig(List<DnsListenerConfig> listeners, DnsTcpConfig tcp, List<ZoneConfig> zones) {

    public DnsConfig {
        listeners = List.copyOf(listeners);
        zones = List.copyOf(zones);
    }
}
