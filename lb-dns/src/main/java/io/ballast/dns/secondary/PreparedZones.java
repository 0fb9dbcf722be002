package io.ballast.dns.secondary;

import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.control.TsigKeys;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The prepared secondary zones of a configuration that is not committed yet. Immutable, except for the
 * zones.
 */
public final class PreparedZones {

    private final DnsConfig config;
    private final DnsConfig sourceConfig;
    private final TsigKeys keys;
    private final PrimaryTls tls;
    private final Map<String, SecondaryZone> zones;
    private final Map<String, ZoneSettings> settings;
    private final Map<String, List<String>> omittedMembers;
    private final Map<String, ZoneVersion> contents;
    private final Set<String> changedZones;

    /**
     * @param raw the original configuration
     * @param zones the zones by name; the caller must not modify this map afterwards
     * @param settings settings of these zones; not modified afterwards
     * @param omitted omitted members by catalog zone; not modified afterwards
     * @param contents served contents of the zones; not modified afterwards
     * @param changed names of the zones with changed content
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
        this.sourceConfig = raw;
        this.keys = keys;
        this.tls = tls;
        this.zones = zones;
        this.settings = settings;
        this.omittedMembers = omitted;
        this.contents = contents;
        this.changedZones = Set.copyOf(changed);
    }

    /**
     * Returns the configuration to serve, with the files of transferred zones and the members of catalog zones.
     */
    public DnsConfig config() {
        return config;
    }

    /** Returns the names of zones whose content differs from the previous configuration. */
    public Set<String> changedZones() {
        return changedZones;
    }

    Map<String, ZoneVersion> contents() {
        return contents;
    }

    DnsConfig sourceConfig() {
        return sourceConfig;
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

    Map<String, List<String>> omittedMembers() {
        return omittedMembers;
    }
}
