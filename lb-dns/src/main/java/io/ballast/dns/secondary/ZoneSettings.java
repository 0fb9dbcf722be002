package io.ballast.dns.secondary;

import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import java.util.List;

/**
 * How a zone is to be served that comes from other servers. Immutable.
 *
 * @param config with its primaries
 * @param groups that its catalog zone has it in; none if there is no catalog
 */
record ZoneSettings(ZoneConfig config, List<String> groups) {

    ZoneSettings {
        groups = List.copyOf(groups);
    }

    SecondaryConfig secondary() {
        return config.secondary()
                .orElseThrow(() -> new IllegalStateException(config.name() + " does not come from other servers"));
    }
}
