package io.ballast.dns.update;

import io.ballast.core.config.DnsConfig;
import java.util.Map;
import org.xbill.DNS.Name;

/** The zones of a configuration that clients may change, which wait for their commit. Immutable, apart from their files. */
public final class PreparedUpdates {

    private final DnsConfig config;
    private final Map<Name, UpdatedZone> zones;

    PreparedUpdates(DnsConfig config, Map<Name, UpdatedZone> zones) {
        this.config = config;
        this.zones = Map.copyOf(zones);
    }

    /** The configuration with the files of zones as messages have changed them. */
    public DnsConfig config() {
        return config;
    }

    Map<Name, UpdatedZone> zones() {
        return zones;
    }
}
