package io.ballast.core.health;

import io.ballast.core.backend.StateOverride;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A health monitor whose clock and checks are controlled by the test. */
abstract class MonitoredPools {

    /** How long the monitor delays a success that changes nothing, to process it together with other results. */
    static final Duration GATHERING = Duration.ofMillis(10);

    final ManualScheduler scheduler = new ManualScheduler();
    final ControlPlane control = scheduler.controlPlane();
    final ManualProbe probe = new ManualProbe();
    final HealthMonitor monitor = new HealthMonitor(control, probe, new SplittableRandom(7));

    final void watch(Pool... pools) {
        monitor.watch(Pools.topology(pools));
        scheduler.runDue();
    }

    /** Returns the delays of the waiting tasks, the shortest first, without the hourly task. */
    final List<Duration> waiting() {
        return scheduler.waiting().stream()
                .filter(wait -> wait.compareTo(Duration.ofMinutes(30)) < 0)
                .toList();
    }

    /**
     * Makes the oldest running check succeed. The monitor may process a success that changes nothing a little
     * later.
     */
    final void succeed() {
        probe.next().succeed("connected");
        scheduler.advance(GATHERING);
    }

    /** Makes the oldest running check fail. */
    final void fail(String text) {
        probe.next().fail(text);
        scheduler.runDue();
    }

    static StateOverride drain(String who) {
        return new StateOverride(StateOverride.Kind.DRAIN, who, "", Instant.EPOCH, Optional.empty());
    }
}
