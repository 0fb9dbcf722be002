package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.control.Event;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A monitored pool, {@code web}, of two backends without checks, for overrides by operators. */
abstract class OverridePool extends MonitoredPools {

    final Backend first = Backends.backend(1);
    final Backend second = Backends.backend(2);
    final Pool pool = Pools.pool("web", Pools.UNCHECKED, first, second);
    final List<Backend> retired = new ArrayList<>();
    final List<OverrideSnapshot> kept = new ArrayList<>();
    Topology topology = Pools.topology(pool);
    final OperatorOverrides orders = new OperatorOverrides(control, monitor, () -> topology, retired::add, kept::add);

    @BeforeEach
    void watchThem() {
        watch(pool);
    }

    /** Returns the overrides that were saved last. */
    final OverrideSnapshot lastKept() {
        return kept.get(kept.size() - 1);
    }

    /** Returns the texts of the timeline. */
    final List<String> texts() {
        return control.timeline().recent().stream().map(Event::text).toList();
    }

    static String address(Backend backend) {
        return backend.address().toString();
    }
}
