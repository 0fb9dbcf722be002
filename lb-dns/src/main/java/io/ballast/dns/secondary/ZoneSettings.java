package io.ballast.dns.secondary;

import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import java.util.List;

/**
 * The settings of a secondary zone. Immutable.
 *
 * @param config the configuration of the zone, with its primaries
 * @param groups groups of the zone in its catalog zone; empty without a catalog
 */
record ZoneSettings(ZoneConfig config, List<String> groups) {

    ZoneSettings {
        groups = List.copyOf(groups);
    }

    SecondaryConfig secondary() {
        return config.secondary()
                .orElseThrow(() -> new IllegalStateException(config.name() + " is not a secondary zone"));
    }
}
