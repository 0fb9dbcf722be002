package io.ballast.core.health;

import java.util.List;

/** All active overrides of operators, as saved for the next start. Immutable. */
public record OverrideSnapshot(
        List<ActiveStateOverride> stateOverrides, List<ActiveWeightOverride> weights, List<ActiveMaintenance> pools) {

    public static final OverrideSnapshot EMPTY = new OverrideSnapshot(List.of(), List.of(), List.of());

    public OverrideSnapshot {
        stateOverrides = List.copyOf(stateOverrides);
        weights = List.copyOf(weights);
        pools = List.copyOf(pools);
    }

    /** The number of overrides. */
    int size() {
        return stateOverrides.size() + weights.size() + pools.size();
    }

    public boolean isEmpty() {
        return size() == 0;
    }
}
