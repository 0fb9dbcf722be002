package io.ballast.dns.secondary;

import java.util.List;

/**
 * A zone that a catalog zone names. Immutable.
 *
 * @param zone its name, in lower case without the final dot
 * @param label its label in the catalog; another label means another zone of the same name (RFC 9432 section 5.5)
 * @param groups its groups (RFC 9432 section 4.3.2), without duplicates, in order
 */
record MemberZone(String zone, String label, List<String> groups) {

    MemberZone {
        groups = groups.stream().distinct().sorted().toList();
    }
}
