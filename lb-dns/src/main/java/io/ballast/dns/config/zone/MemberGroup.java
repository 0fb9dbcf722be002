package io.ballast.dns.config.zone;

import java.util.Optional;

/**
 * How zones are served that a catalog zone of another server has in a group.
 *
 * @param dnssec how they are signed here, absent if they are not
 * @param transfer which further servers may have them, absent if none may
 */
public record MemberGroup(Optional<DnssecConfig> dnssec, Optional<TransferConfig> transfer) {

    /** For members of no group that is known. */
    public static final MemberGroup NONE = new MemberGroup(Optional.empty(), Optional.empty());
}
