package io.ballast.dns.secondary;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a zone fares that comes from other servers.
 *
 * @param zone its name, without the final dot
 * @param catalog the catalog zone that names it
 * @param groups that this has it in
 * @param isCatalog whether it is one
 * @param serial of the version that is there
 * @param primary the one that was asked last, or will be asked first
 * @param refreshed when it was known to be current last
 * @param next when a primary is asked next
 * @param expires when nothing is answered any more
 * @param transfers how many versions have come since the start
 * @param incremental how many of them as differences (IXFR)
 * @param failures how often in a row no primary has told a version
 * @param members of a catalog zone
 * @param problem why the last attempt failed, or what of a catalog is left out; empty if all is well
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

    /** Whether it is answered. */
    public enum Status {
        /** Nothing has come yet: SERVFAIL. */
        WAITING,
        SERVED,
        /** The zone has expired: SERVFAIL. */
        EXPIRED
    }
}
