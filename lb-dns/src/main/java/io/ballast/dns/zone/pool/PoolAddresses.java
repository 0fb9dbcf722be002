package io.ballast.dns.zone.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.dns.answer.data.AddressFamily;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The addresses of a pool at one moment. Services share equal answers, which are created only once. Without
 * sharing, thousands of services on a large pool would need most of the CPU time and memory for these
 * answers. Thread safety: confined to the thread that compiles the services.
 */
public final class PoolAddresses {

    private final List<Member> usable;
    private final List<Member> all;
    private final Map<AddressFamily, AddressChoice> everyTier = new EnumMap<>(AddressFamily.class);
    private final Map<AddressFamily, AddressChoice> firstTier = new EnumMap<>(AddressFamily.class);
    private final Map<AddressFamily, AddressChoice> lastResort = new EnumMap<>(AddressFamily.class);
    private final Map<AddressFamily, Integer> totals = new EnumMap<>(AddressFamily.class);
    private final Map<AddressFamily, Integer> healthy = new EnumMap<>(AddressFamily.class);
    private final Map<AddressFamily, Duration> stable = new EnumMap<>(AddressFamily.class);

    PoolAddresses(Pool pool) {
        this.usable = pool.snapshot().healthy(); // panic mode does not apply; WhenAllDown applies instead
        this.all = pool.members().stream().map(Member::withOverriddenWeight).toList();
    }

    /** Returns all members of the pool. An overridden weight replaces the configured weight. */
    public List<Member> all() {
        return all;
    }

    /**
     * Returns all members that take traffic, including backups, regardless of address family; members without an
     * address are included.
     */
    public List<Member> usable() {
        return usable;
    }

    /** All members that would take traffic if they were healthy. */
    public List<Member> inService() {
        return all.stream().filter(member -> member.weight() > 0).toList();
    }

    /**
     * Returns the addresses of all members that take traffic, regardless of priority. Includes backups only if no
     * other member takes traffic.
     */
    public AddressChoice everyTier(AddressFamily family) {
        return everyTier.computeIfAbsent(
                family, f -> new AddressChoice(f, FamilyMembers.distinct(FamilyMembers.primaries(usable, f), f)));
    }

    /**
     * Returns the number of healthy addresses: addresses that take traffic or would take it if other members
     * failed, including backups.
     */
    public int healthy(AddressFamily family) {
        return healthy.computeIfAbsent(
                family, f -> FamilyMembers.distinct(usable, f).size());
    }

    /** Returns the addresses of the first tier that takes traffic. */
    public AddressChoice firstTier(AddressFamily family) {
        return firstTier.computeIfAbsent(
                family, f -> new AddressChoice(f, FamilyMembers.distinct(FamilyMembers.firstTier(usable, f), f)));
    }

    /** Returns the addresses for answers while no member takes traffic. */
    public AddressChoice lastResort(AddressFamily family) {
        return lastResort.computeIfAbsent(family, f -> new AddressChoice(f, FamilyMembers.lastResort(all, f)));
    }

    /** Returns the number of addresses that would take traffic if all enabled backends were healthy. */
    public int total(AddressFamily family) {
        return totals.computeIfAbsent(
                family, f -> FamilyMembers.distinct(inService(), f).size());
    }

    /** Returns the minimum time until checks can change which members take traffic. */
    public Duration stableFor(AddressFamily family) {
        return stable.computeIfAbsent(
                family,
                f -> stableFor(inService().stream()
                        .filter(member -> f.holds(member.backend().inetAddress()))));
    }

    /** Like {@link #stableFor(AddressFamily)}, for IPv4 and IPv6 together, including members without an address. */
    public Duration stableFor() {
        return stableFor(inService().stream());
    }

    private static Duration stableFor(Stream<Member> members) {
        return members.map(member -> member.backend().minStableTime())
                .min(Duration::compareTo)
                .orElse(Backend.FOREVER);
    }
}
