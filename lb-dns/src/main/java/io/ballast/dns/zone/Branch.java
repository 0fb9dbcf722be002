package io.ballast.dns.zone;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.TargetConfig.Standing;
import java.util.ArrayList;
import java.util.List;

/** A choice among targets. Thread safety: confined to the control plane. */
abstract class Branch extends Target {

    private final List<Target> inside;

    Branch(Standing standing, List<Target> inside) {
        super(standing);
        this.inside = List.copyOf(inside);
    }

    final List<Target> inside() {
        return inside;
    }

    @Override
    final Compiled compile(Moment moment, int ttlSeconds) {
        List<Compiled> each = new ArrayList<>(inside.size());
        inside.forEach(target -> each.add(target.compile(moment, ttlSeconds)));
        Compiled chosen = choose(each, moment);
        return chosen.within(each);
    }

    /**
     * Chooses among the targets.
     *
     * @param each what became of each, in the order of {@link #inside}
     * @return one of them, several put together, or nothing if none answers
     */
    abstract Compiled choose(List<Compiled> each, Moment moment);

    @Override
    void checked(Backend backend, HealthStatus.LastCheck check) {
        inside.forEach(target -> target.checked(backend, check));
    }

    @Override
    boolean isStale(Moment moment) {
        return inside.stream().anyMatch(target -> target.isStale(moment));
    }
}
