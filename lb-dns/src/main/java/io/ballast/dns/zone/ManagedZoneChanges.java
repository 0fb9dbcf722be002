package io.ballast.dns.zone;

import io.ballast.dns.zone.contents.ZoneContents;
import java.util.Map;
import java.util.Set;

/**
 * The changes of managed zones, by zone name.
 *
 * @param files zones whose files must be read again if they have changed
 * @param contents zones whose new records are in memory and have already been written to their files
 */
public record ManagedZoneChanges(Set<String> files, Map<String, ZoneContents> contents) {

    public ManagedZoneChanges {
        files = Set.copyOf(files);
        contents = Map.copyOf(contents);
    }
}
