package io.ballast.core.config;

import java.util.List;

/**
 * The DNS frontend.
 *
 * @param listeners where resolvers come in
 * @param udp what receives and sends datagrams
 * @param tcp what clients may use up that come by connections
 * @param zones what it is authoritative for
 */
public record DnsConfig(List<DnsListenerConfig> listeners, DnsUdpKind udp, DnsTcpConfig tcp, List<ZoneConfig> zones) {

    public DnsConfig {
        listeners = List.copyOf(listeners);
        zones = List.copyOf(zones);
    }
}
