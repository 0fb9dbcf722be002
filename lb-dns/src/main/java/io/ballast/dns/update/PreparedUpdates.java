package io.ballast.dns.update;

import io.ballast.dns.config.DnsConfig;
import java.util.Map;
import java.util.Set;
import org.xbill.DNS.Name;

/**
 * The zones of a configuration that clients may update, before their commit. Immutable, apart from their
 * files.
 */
public final class PreparedUpdates {

    private final DnsConfig config;
    private final Map<Name, UpdatedZone> zones;
    private final Set<String> names;

    /** @param names names of all zones of the configuration; empty if clients may update none of them */
    PreparedUpdates(DnsConfig config, Map<Name, UpdatedZone> zones, Set<String> names) {
        this.config = config;
        this.zones = Map.copyOf(zones);
        this.names = Set.copyOf(names);
    }

    /** The configuration with the files of dynamically updated zones. */
    public DnsConfig config() {
        return config;
    }

    Map<Name, UpdatedZone> zones() {
        return zones;
    }

    Set<String> names() {
        return names;
    }
}
