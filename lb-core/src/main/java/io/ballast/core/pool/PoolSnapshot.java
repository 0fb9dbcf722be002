package io.ballast.core.pool;

import io.ballast.core.balance.Member;
import io.ballast.core.balance.Picker;
import java.util.List;

/** A pool at one moment: who takes traffic, and the picker compiled for them. Immutable. */
public final class PoolSnapshot {

    private final List<Member> usable;
    private final Picker picker;
    private final PoolSetup setup;

    /**
     * @param usable members that take traffic now, in the order of the configuration
     * @param picker compiled for {@code usable}
     * @param setup whose members they are
     */
    PoolSnapshot(List<Member> usable, Picker picker, PoolSetup setup) {
        this.usable = List.copyOf(usable);
        this.picker = picker;
        this.setup = setup;
    }

    /** Members that take traffic now, in the order of the configuration. */
    public List<Member> usable() {
        return usable;
    }

    public Picker picker() {
        return picker;
    }

    PoolSetup setup() {
        return setup;
    }
}
