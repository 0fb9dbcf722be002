package io.ballast.dns.secondary;

import java.util.List;

/**
 * A zone that a catalog zone names. Immutable.
 *
 * @param zone its name, in lower case without the final dot
 * @param label under which it stands in the catalog; another one makes it another zone of the same name (RFC 9432 section 5.5)
 * @param groups that it is in (RFC 9432 section 4.3.2), each once, in order
 */
record MemberZone(String zone, String label, List<String> groups) {

    MemberZone {
        groups = groups.stream().distinct().sorted().toList();
    }
}
