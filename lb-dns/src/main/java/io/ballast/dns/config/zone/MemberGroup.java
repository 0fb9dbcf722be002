package io.ballast.dns.config.zone;

import java.util.Optional;

/**
 * Settings for those member zones of a catalog zone that belong to one group. The catalog zone comes from
 * another server.
 *
 * @param dnssec how this server signs the zones; absent for no signing
 * @param transfer the servers that may transfer the zones; absent for none
 */
public record MemberGroup(Optional<DnssecConfig> dnssec, Optional<TransferConfig> transfer) {

    /** Settings for members that belong to no configured group. */
    public static final MemberGroup NONE = new MemberGroup(Optional.empty(), Optional.empty());
}
