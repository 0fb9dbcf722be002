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

/** A monitor whose time passes, and whose checks end, when the test says so. */
abstract class MonitoredPools {

    /** How long a success that changes nothing waits for others. */
    static final Duration GATHERING = Duration.ofMillis(10);

    final ManualScheduler scheduler = new ManualScheduler();
    final ControlPlane control = scheduler.controlPlane();
    final ManualProbe probe = new ManualProbe();
    final HealthMonitor monitor = new HealthMonitor(control, probe, new SplittableRandom(7));

    final void watch(Pool... pools) {
        monitor.watch(Pools.topology(pools));
        scheduler.runDue();
    }

    /** How long from now each waiting task is due, the next one first, but for the one of every hour. */
    final List<Duration> waiting() {
        return scheduler.waiting().stream()
                .filter(wait -> wait.compareTo(Duration.ofMinutes(30)) < 0)
                .toList();
    }

    /** The check that has waited longest succeeds. That may be heard a little later, if it changes nothing. */
    final void succeed() {
        probe.next().succeed("connected");
        scheduler.advance(GATHERING);
    }

    /** The check that has waited longest fails. */
    final void fail(String text) {
        probe.next().fail(text);
        scheduler.runDue();
    }

    static StateOverride drain(String who) {
        return new StateOverride(StateOverride.Kind.DRAIN, who, "", Instant.EPOCH, Optional.empty());
    }
}
