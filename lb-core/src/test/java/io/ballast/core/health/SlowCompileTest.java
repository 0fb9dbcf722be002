package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests health decisions while the compilation of pools takes a long time. */
class SlowCompileTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ManualProbe probe = new ManualProbe();
    private final Deque<Runnable> compiler = new ArrayDeque<>();
    private final HealthMonitor monitor = new HealthMonitor(
            scheduler.controlPlane(), probe, new SplittableRandom(7), compiler::add, HealthMonitor.MAX_CHECKS);

    private final Backend first = Backends.unchecked(0, "web");
    private final Backend second = Backends.unchecked(1, "web");
    private final Backend other = Backends.unchecked(2, "api");
    private final Pool web = Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(5)), first, second);
    private final Pool api = Pools.pool("api", Pools.tcpEvery(Duration.ofSeconds(5)), other);

    @BeforeEach
    void watch() {
        monitor.watch(Pools.topology(web, api));
        scheduler.runDue();
    }

    @Test
    void decisionsAreNotBlockedByCompilation() {
        fail();
        assertThat(compiler).hasSize(1);

        fail();
        fail();

        assertThat(List.of(first, second, other))
                .extracting(backend -> backend.health().state())
                .containsOnly(BackendState.DOWN);
        assertThat(compiler).as("the other pool does not wait for the first").hasSize(2);
        assertThat(web.snapshot().usable()).as("until it is compiled").hasSize(2);
    }

    @Test
    void changeDuringCompilationCausesAnotherCompilation() {
        List<Integer> usable = new ArrayList<>();
        web.onRefresh(snapshot -> usable.add(snapshot.usable().size()));
        fail();
        Runnable running = compiler.remove();
        List<Member> before = web.compile().usable();

        fail();
        assertThat(compiler).isEmpty();
        running.run();
        scheduler.runDue();
        compiler.remove().run();
        scheduler.runDue();

        assertThat(before).hasSize(1);
        assertThat(usable).hasSize(2).endsWith(0);
        assertThat(compiler).isEmpty();
    }

    private void fail() {
        probe.next().fail("connection refused");
        scheduler.runDue();
    }
}
