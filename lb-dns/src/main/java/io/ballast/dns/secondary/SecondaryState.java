package io.ballast.dns.secondary;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a secondary zone.
 *
 * @param zone name of the zone, without the final dot
 * @param catalog the catalog zone that contains the zone
 * @param groups groups of the zone in that catalog
 * @param isCatalog whether the zone is a catalog zone
 * @param serial serial of the current version
 * @param primary the primary that was used last; before the first refresh, the first primary
 * @param refreshed time at which the zone was last known to be current
 * @param next time of the next refresh
 * @param expires time at which the zone expires
 * @param transfers number of versions transferred since the start
 * @param incremental number of these transfers that were incremental (IXFR)
 * @param failures number of consecutive failed refreshes
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
        /** No version has been transferred yet; queries are answered with SERVFAIL. */
        WAITING,
        SERVED,
        /** The zone has expired; queries are answered with SERVFAIL. */
        EXPIRED
    }
}
