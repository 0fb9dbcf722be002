package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.Picker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The state of a pool at one moment: its usable members and their compiled picker. Immutable. */
public final class PoolSnapshot {

    private final PoolSetup.Choice choice;
    private final List<Member> usable;
    private final Picker picker;
    private final PoolSetup setup;
    private final Set<Backend> unhealthy;

    /**
     * @param choice the members from which the snapshot was compiled
     * @param usable members that get traffic, in the order of the configuration, including all healthy ones
     * @param picker compiled for {@code usable}
     * @param setup the pool settings
     */
    PoolSnapshot(PoolSetup.Choice choice, List<Member> usable, Picker picker, PoolSetup setup) {
        this.choice = choice;
        this.usable = List.copyOf(usable);
        this.picker = picker;
        this.setup = setup;
        this.unhealthy = isPanic() ? unhealthyOf(usable, choice.healthy()) : Set.of();
    }

    private static Set<Backend> unhealthyOf(List<Member> usable, List<Member> healthy) {
        Set<Backend> unhealthy = new HashSet<>();
        usable.forEach(member -> unhealthy.add(member.backend()));
        healthy.forEach(member -> unhealthy.remove(member.backend()));
        return unhealthy;
    }

    /**
     * Members that currently get traffic, in the order of the configuration. While some of them are in slow
     * start, the weights are multiples of the configured weights.
     */
    public List<Member> usable() {
        return usable;
    }

    /** Returns the healthy members: all of {@link #usable}, except in panic mode. */
    public List<Member> healthy() {
        return choice.healthy();
    }

    /**
     * Returns the number of members that may get traffic: the healthy members or, in panic mode, all members
     * without an override.
     */
    public int candidateCount() {
        return choice.candidates().size();
    }

    /**
     * Returns whether the pool is in panic mode: too few members are healthy, so unhealthy members get traffic
     * too.
     */
    public boolean isPanic() {
        return healthy().size() < usable.size();
    }

    /**
     * Returns whether a backend gets traffic although it is unhealthy, which occurs only in panic mode. Constant
     * time.
     */
    public boolean usesUnhealthy(Backend backend) {
        return unhealthy.contains(backend);
    }

    /** Returns the unhealthy members that get traffic; there are some only in panic mode. */
    Set<Backend> unhealthy() {
        return unhealthy;
    }

    public Picker picker() {
        return picker;
    }

    /** Returns whether a new compilation would select the same members and weights. */
    boolean isCurrent(boolean isOut) {
        return choice.equals(setup.choose(isOut));
    }

    PoolSetup setup() {
        return setup;
    }
}
