package io.ballast.dns.secondary;

import java.util.List;

/**
 * A zone that a catalog zone lists. Immutable.
 *
 * @param zone name of the zone, in lower case without the final dot
 * @param label label of the zone in the catalog; a different label means a different zone with the same name (RFC 9432
 *     section 5.5)
 * @param groups groups of the zone (RFC 9432 section 4.3.2), without duplicates, in order
 */
record MemberZone(String zone, String label, List<String> groups) {

    MemberZone {
        groups = groups.stream().distinct().sorted().toList();
    }
}
