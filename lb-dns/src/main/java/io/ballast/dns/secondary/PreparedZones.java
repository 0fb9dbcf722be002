package io.ballast.dns.secondary;

import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.control.TsigKeys;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The secondary zones of a configuration, which wait for their commit. Immutable, apart from the zones. */
public final class PreparedZones {

    private final DnsConfig config;
    private final DnsConfig raw;
    private final TsigKeys keys;
    private final PrimaryTls tls;
    private final Map<String, SecondaryZone> zones;
    private final Map<String, ZoneSettings> settings;
    private final Map<String, List<String>> omitted;
    private final Map<String, ZoneVersion> contents;
    private final Set<String> changed;

    /**
     * @param raw the configuration as it was given
     * @param zones by their names; no more changed by the caller
     * @param settings of these zones, likewise
     * @param omitted members that are not served, by their catalog zone; likewise
     * @param contents what is served of the zones; likewise
     * @param changed the names of the zones of which something else is served than before
     */
    PreparedZones(
            DnsConfig config,
            DnsConfig raw,
            TsigKeys keys,
            PrimaryTls tls,
            Map<String, SecondaryZone> zones,
            Map<String, ZoneSettings> settings,
            Map<String, List<String>> omitted,
            Map<String, ZoneVersion> contents,
            Set<String> changed) {
        this.config = config;
        this.raw = raw;
        this.keys = keys;
        this.tls = tls;
        this.zones = zones;
        this.settings = settings;
        this.omitted = omitted;
        this.contents = contents;
        this.changed = Set.copyOf(changed);
    }

    /** The configuration as it can be served: with the files of what has come, and with the members of catalog zones. */
    public DnsConfig config() {
        return config;
    }

    /** Returns the names of zones whose content differs from the former configuration. */
    public Set<String> changed() {
        return changed;
    }

    Map<String, ZoneVersion> contents() {
        return contents;
    }

    DnsConfig raw() {
        return raw;
    }

    TsigKeys keys() {
        return keys;
    }

    PrimaryTls tls() {
        return tls;
    }

    Map<String, SecondaryZone> zones() {
        return zones;
    }

    Map<String, ZoneSettings> settings() {
        return settings;
    }

    Map<String, List<String>> omitted() {
        return omitted;
    }
}
