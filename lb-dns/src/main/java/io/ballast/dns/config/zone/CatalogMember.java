package io.ballast.dns.config.zone;

import java.util.Optional;

/**
 * A member of a catalog zone that this server generates.
 *
 * @param zone absolute name of the member zone, without the final dot
 * @param group the group that selects the settings at consumers (RFC 9432 section 4.3.2), if any
 */
public record CatalogMember(String zone, Optional<String> group) {

    /** Creates a member without a group. */
    public CatalogMember(String zone) {
        this(zone, Optional.empty());
    }
}
