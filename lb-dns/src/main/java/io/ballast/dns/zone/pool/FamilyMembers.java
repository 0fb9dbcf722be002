package io.ballast.dns.zone.pool;

import io.ballast.core.balance.Member;
import io.ballast.dns.answer.data.AddressFamily;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Selects the members of a pool whose addresses an answer may contain. Used when answers are compiled. */
public final class FamilyMembers {

    private FamilyMembers() {}

    /**
     * Returns the members with an address of {@code family}, each address once. If members differ only in the port,
     * their weights are added.
     */
    public static List<Member> distinct(List<Member> members, AddressFamily family) {
        Map<InetAddress, Member> byAddress = new LinkedHashMap<>();
        for (Member member : members) {
            InetAddress address = address(member);
            if (address != null && family.holds(address)) {
                byAddress.merge(address, member, FamilyMembers::sum);
            }
        }
        return List.copyOf(byAddress.values());
    }

    /**
     * Returns the members with an address of {@code family} that are not backups; if all members are backups, returns
     * the backups.
     */
    static List<Member> primaries(List<Member> members, AddressFamily family) {
        List<Member> ofFamily = matching(members, member -> family.holds(address(member)));
        List<Member> primaries = matching(ofFamily, member -> !member.backup());
        return primaries.isEmpty() ? ofFamily : primaries;
    }

    /** The members with the lowest priority number, among the members with an address of {@code family}. */
    static List<Member> firstTier(List<Member> members, AddressFamily family) {
        List<Member> ofFamily = matching(members, member -> family.holds(address(member)));
        int first = ofFamily.stream().mapToInt(Member::tier).min().orElse(0);
        return matching(ofFamily, member -> member.tier() == first);
    }

    /**
     * Returns the members for answers while no member is healthy: all members, because the checks may be wrong.
     * Members that an operator has taken out of service are included only if no member is in service.
     */
    static List<Member> lastResort(List<Member> members, AddressFamily family) {
        List<Member> inService = matching(
                members,
                member -> member.weight() > 0
                        && !member.backend().health().state().isTakenOut());
        List<Member> distinct = distinct(inService, family);
        return distinct.isEmpty() ? distinct(members, family) : distinct;
    }

    /**
     * Returns the addresses of members. Each member must come from a method of this class, so it has an
     * address.
     */
    public static List<InetAddress> addresses(List<Member> members) {
        return members.stream().map(FamilyMembers::address).toList();
    }

    /** Returns the address of a member; null for an unresolved host name and for a Unix socket. */
    private static @Nullable InetAddress address(Member member) {
        return member.backend().inetAddress();
    }

    private static Member sum(Member one, Member other) {
        return new Member(one.backend(), one.weight() + other.weight(), one.priority(), one.backup(), one.region());
    }

    private static List<Member> matching(List<Member> members, Predicate<Member> predicate) {
        return members.stream().filter(predicate).toList();
    }
}
