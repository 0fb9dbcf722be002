package io.ballast.dns.update;

import io.ballast.dns.config.DnsConfig;
import java.util.Map;
import java.util.Set;
import org.xbill.DNS.Name;

/**
 * The zones that clients may update, for a prepared configuration that is not committed yet. Immutable, apart
 * from the files of the zones.
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

    /**
     * The configuration, in which each dynamically updated zone is read from the file that contains its
     * updates.
     */
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
