package io.ballast.dns.secondary;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a secondary zone.
 *
 * @param zone its name, without the final dot
 * @param catalog the catalog zone that contains it
 * @param groups its groups in that catalog
 * @param isCatalog whether it is a catalog zone
 * @param serial serial of the present version
 * @param primary the last used primary, or the next one
 * @param refreshed time at which it was last known to be current
 * @param next time of the next refresh
 * @param expires time of its expiration
 * @param transfers number of versions transferred since the start
 * @param incremental number of incremental transfers (IXFR) among them
 * @param failures consecutive failed refreshes
 * @param members members of a catalog zone
 * @param problem reason of the last failure, or omitted members of a catalog; empty if there is none
 */
public record SecondaryState(
        String zone,
        Optional<String> catalog,
        List<String> groups,
        boolean isCatalog,
        Status status,
        OptionalLong serial,
        String primary,
        Optional<Instant> refreshed,
        Optional<Instant> next,
        Optional<Instant> expires,
        long transfers,
        long incremental,
        int failures,
        int members,
        String problem) {

    /** Whether queries for the zone are answered. */
    public enum Status {
        /** No version has been transferred yet: SERVFAIL. */
        WAITING,
        SERVED,
        /** The zone has expired: SERVFAIL. */
        EXPIRED
    }
}
