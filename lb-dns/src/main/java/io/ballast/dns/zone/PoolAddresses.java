package io.ballast.dns.zone;

import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.dns.answer.AddressFamily;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The addresses of a pool at one moment. What several services want is made once: with thousands of services on a large
 * pool it is most of the work and of the memory. Thread safety: confined to the control plane.
 */
final class PoolAddresses {

    private final List<Member> usable;
    private final List<Member> all;
    private final Map<AddressFamily, AddressChoice> everyTier = new EnumMap<>(AddressFamily.class);
    private final Map<AddressFamily, AddressChoice> firstTier = new EnumMap<>(AddressFamily.class);

    PoolAddresses(Pool pool) {
        this.usable = pool.snapshot().usable();
        this.all = pool.members();
    }

    /** Everyone who takes traffic; if nobody does, everyone. */
    AddressChoice everyTier(AddressFamily family) {
        return everyTier.computeIfAbsent(family, f -> choose(f, usable));
    }

    /** Those of the lowest priority number who take traffic; if nobody does, everyone. */
    AddressChoice firstTier(AddressFamily family) {
        return firstTier.computeIfAbsent(family, f -> choose(f, FamilyMembers.firstTier(usable, f)));
    }

    private AddressChoice choose(AddressFamily family, List<Member> candidates) {
        List<Member> distinct = FamilyMembers.distinct(candidates, family);
        return distinct.isEmpty()
                ? new AddressChoice(family, FamilyMembers.lastResort(all, family), /* allDown= */ true)
                : new AddressChoice(family, distinct, /* allDown= */ false);
    }
}
