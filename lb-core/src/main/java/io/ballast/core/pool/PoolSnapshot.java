package io.ballast.core.pool;

import io.ballast.core.balance.Member;
import io.ballast.core.balance.Picker;
import java.util.List;

/**
 * A pool at one moment: who takes traffic, and the picker compiled for them. Immutable.
 *
 * @param usable members that take traffic now, in the order of the configuration
 * @param picker compiled for {@code usable}
 */
public record PoolSnapshot(List<Member> usable, Picker picker) {

    public PoolSnapshot {
        usable = List.copyOf(usable);
    }
}
