package io.ballast.dns.zone;

import io.ballast.dns.zone.contents.ZoneContents;
import java.util.Map;
import java.util.Set;

/**
 * What has changed in zones that are kept here, by their names.
 *
 * @param files the zones whose files are to be read again if they have changed
 * @param contents the records of zones that are in hand, and stand in their files already
 */
public record KeptChanges(Set<String> files, Map<String, ZoneContents> contents) {

    public KeptChanges {
        files = Set.copyOf(files);
        contents = Map.copyOf(contents);
    }
}
