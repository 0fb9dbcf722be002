package io.ballast.dns.config.zone;

import java.util.Optional;

/**
 * A member of a catalog zone that we produce.
 *
 * @param zone its name, absolute, without the final dot
 * @param group selects the settings at consumers (RFC 9432 section 4.3.2), if any
 */
public record CatalogMember(String zone, Optional<String> group) {

    /** A member without a group. */
    public CatalogMember(String zone) {
        this(zone, Optional.empty());
    }
}
