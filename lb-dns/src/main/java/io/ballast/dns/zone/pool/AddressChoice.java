package io.ballast.dns.zone.pool;

import io.ballast.core.balance.Member;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.answer.data.AddressRecords;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pool members whose addresses answers may currently contain, for one address family. Services with the same
 * members share this object and its records. Thread safety: confined to the compiler thread.
 */
public final class AddressChoice {

    private final AddressFamily family;
    private final List<Member> members;
    private final Map<Integer, AddressRecords> recordsByTtl = new HashMap<>();

    public AddressChoice(AddressFamily family, List<Member> members) {
        this.family = family;
        this.members = members;
    }

    /** The members, each with an address; may be empty. */
    public List<Member> members() {
        return members;
    }

    /** The address records of the members, in the same order. */
    public AddressRecords records(int ttlSeconds) {
        return recordsByTtl.computeIfAbsent(
                ttlSeconds, ttl -> new AddressRecords(family, FamilyMembers.addresses(members), ttl));
    }
}
