package io.ballast.core.health;

import java.time.Instant;
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

    /** The overrides that have expired at {@code now}. */
    public OverrideSnapshot expired(Instant now) {
        return new OverrideSnapshot(
                stateOverrides.stream()
                        .filter(each -> each.override().hasExpired(now))
                        .toList(),
                weights.stream()
                        .filter(each -> each.override().terms().hasExpired(now))
                        .toList(),
                pools.stream().filter(each -> each.terms().hasExpired(now)).toList());
    }

    public boolean isEmpty() {
        return size() == 0;
    }
}
