package io.ballast.core.config;

import java.util.List;

/**
 * The DNS frontend.
 *
 * @param listeners addresses served on UDP and TCP alike
 * @param zones what it is authoritative for
 */
public record DnsConfig(List<HostPort> listeners, List<ZoneConfig> zones) {

    public DnsConfig {
        listeners = List.copyOf(listeners);
        zones = List.copyOf(zones);
    }
}
