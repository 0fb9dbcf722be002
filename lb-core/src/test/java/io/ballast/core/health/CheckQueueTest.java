package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CheckQueueTest {

    private static final int MAX = 2;

    private static final int MANY = 30_000;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final ManualProbe probe = new ManualProbe();
    private final HealthMonitor monitor =
            new HealthMonitor(control, probe, new SplittableRandom(7), Runnable::run, MAX);
    private final List<Backend> backends =
            IntStream.range(0, 5).mapToObj(id -> Backends.unchecked(id, "web")).toList();

    @Test
    void checksBeyondLimitWait() {
        watch(backends);
        assertThat(targets()).containsExactly(0, 1);

        probe.next().succeed("connected");
        scheduler.runDue();
        assertThat(targets()).containsExactly(1, 2);

        probe.next().cannot("too many open files");
        probe.next().fail("connection refused");
        scheduler.runDue();
        assertThat(targets()).containsExactly(3, 4);
    }

    @Test
    void unwatchedBackendLeavesQueue() {
        watch(backends);

        watch(backends.subList(4, 5));
        assertThat(targets()).as("these run to their end").containsExactly(0, 1);
        probe.next().succeed("connected");
        scheduler.runDue();

        assertThat(targets()).containsExactly(1, 4);
        probe.next().succeed("connected");
        probe.next().succeed("connected");
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(targets()).containsExactly(4);
    }

    @Test
    void failedStartReleasesPermit() {
        HealthMonitor broken = new HealthMonitor(
                control,
                (target, check, host, timeout, done) -> {
                    throw new IllegalStateException("broken");
                },
                new SplittableRandom(7),
                Runnable::run,
                MAX);

        broken.watch(Pools.topology(pool(backends)));
        scheduler.runDue();

        assertThat(backends)
                .allSatisfy(backend -> assertThat(backend.health().reason()).contains("did not start"));
    }

    @Test
    void immediateChecksDoNotRecurse() {
        List<Backend> many = IntStream.range(0, MANY)
                .mapToObj(id -> Backends.unchecked(id, "web"))
                .toList();
        watch(many);
        watch(many.subList(MANY - 1, MANY));

        probe.next().succeed("connected");
        scheduler.runDue();

        assertThat(probe.open())
                .last()
                .extracting(ManualProbe.Check::target)
                .isEqualTo(many.get(MANY - 1).socketAddress());
    }

    private void watch(List<Backend> watched) {
        monitor.watch(Pools.topology(pool(watched)));
        scheduler.runDue();
    }

    private static Pool pool(List<Backend> backends) {
        return Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(5)), backends.toArray(Backend[]::new));
    }

    /** Returns the targets of the running checks, the oldest check first. */
    private List<Integer> targets() {
        return probe.open().stream()
                .map(check ->
                        backends.stream().map(Backend::socketAddress).toList().indexOf(check.target()))
                .toList();
    }
}
