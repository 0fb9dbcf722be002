package io.ballast.core.pool;

import io.ballast.core.balance.Member;
import io.ballast.core.balance.Picker;
import java.util.List;

/** A pool at one moment: who takes traffic, and the picker compiled for them. Immutable. */
public final class PoolSnapshot {

    private final List<Member> usable;
    private final List<Member> healthy;
    private final Picker picker;
    private final PoolSetup setup;

    /**
     * @param usable members that take traffic now, in the order of the configuration
     * @param healthy those of them that are healthy; the same list unless too few are, so that the others take traffic too
     * @param picker compiled for {@code usable}
     * @param setup whose members they are
     */
    PoolSnapshot(List<Member> usable, List<Member> healthy, Picker picker, PoolSetup setup) {
        this.usable = List.copyOf(usable);
        this.healthy = List.copyOf(healthy);
        this.picker = picker;
        this.setup = setup;
    }

    /**
     * Members that take traffic now, in the order of the configuration. Their weights are multiples of the configured ones while
     * some start slowly.
     */
    public List<Member> usable() {
        return usable;
    }

    /** The healthy ones of them: all of {@link #usable}, but in a panic. */
    public List<Member> healthy() {
        return healthy;
    }

    /** Whether so few members are healthy that the others take traffic too. */
    public boolean isPanic() {
        return healthy.size() < usable.size();
    }

    public Picker picker() {
        return picker;
    }

    /** Whether the same members are usable by the present health of all. */
    boolean isCurrent(boolean isOut) {
        return usable.equals(setup.usable(isOut));
    }

    PoolSetup setup() {
        return setup;
    }
}
