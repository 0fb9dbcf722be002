package io.ballast.dns.zone;

import io.ballast.core.balance.Member;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.AddressRecords;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The members of one address family that answers may name at one moment. Services that choose alike share it, and the
 * records made of it. Thread safety: confined to the control plane.
 */
final class AddressChoice {

    /** How long resolvers may remember addresses that are all unhealthy. */
    static final Duration ALL_DOWN_TTL = Duration.ofSeconds(5);

    private final AddressFamily family;
    private final List<Member> members;
    private final boolean allDown;
    private final Map<Integer, AddressRecords> recordsByTtl = new HashMap<>();

    /** @param allDown whether none of them takes traffic and they are only named for want of better ones */
    AddressChoice(AddressFamily family, List<Member> members, boolean allDown) {
        this.family = family;
        this.members = members;
        this.allDown = allDown;
    }

    /** The members, each with an address of its own; empty if the pool has none of the family. */
    List<Member> members() {
        return members;
    }

    boolean isAllDown() {
        return allDown;
    }

    /** Their records, in the order of the members; {@code ttl} is cut down to {@link #ALL_DOWN_TTL} if all are down. */
    AddressRecords records(Duration ttl) {
        boolean cut = allDown && ttl.compareTo(ALL_DOWN_TTL) > 0;
        return recordsByTtl.computeIfAbsent(
                Ttl.seconds(cut ? ALL_DOWN_TTL : ttl),
                seconds -> new AddressRecords(family, FamilyMembers.addresses(members), seconds));
    }
}
