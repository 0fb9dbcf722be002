package io.ballast.dns.config.zone;

import java.util.Optional;

/**
 * A zone that a catalog zone names which is made here.
 *
 * @param zone its name, absolute, without the final dot
 * @param group tells consumers by which of their settings to serve it (RFC 9432 section 4.3.2); absent for none in particular
 */
public record CatalogMember(String zone, Optional<String> group) {

    /** Of no group. */
    public CatalogMember(String zone) {
        this(zone, Optional.empty());
    }
}
