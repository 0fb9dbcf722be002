package io.ballast.replication.key;

import io.ballast.config.BallastConfig;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The zones that a configuration signs. Stateless. */
public final class SignedZoneNames {

    private SignedZoneNames() {}

    /** Returns the settings of each signed zone by its name, without the final dot. */
    public static Map<String, DnssecConfig> of(BallastConfig config) {
        Map<String, DnssecConfig> signed = new LinkedHashMap<>();
        for (ZoneConfig zone : config.dns().map(dns -> dns.zones()).orElse(List.of())) {
            zone.dnssec().ifPresent(settings -> signed.put(zone.name(), settings));
        }
        return signed;
    }
}
