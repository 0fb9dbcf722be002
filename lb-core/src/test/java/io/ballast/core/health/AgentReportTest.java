package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.AgentReport;
import io.ballast.core.backend.AgentReport.State;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class AgentReportTest extends OverridePool {

    @Test
    void downAndStaleTakeUncheckedBackendOutOfService() {
        report(first, State.DOWN, 10);

        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(first.health().origin()).isEqualTo(Origin.AGENT);
        assertThat(first.health().reason()).isEqualTo("down by agent rack1: full disk");
        assertThat(usable(pool)).containsExactly(second);

        report(first, State.UP, 10);
        assertThat(usable(pool)).containsExactly(first, second);

        report(first, State.STALE, 10);
        assertThat(usable(pool)).containsExactly(second);
    }

    @Test
    void checksOfThisProcessDecideBeforeAgent() {
        Pool checked = watchWithChecks();

        report(first, State.DOWN, 10);

        assertThat(first.health().state()).isNotEqualTo(BackendState.DOWN);
        assertThat(usable(checked)).containsExactly(first, second);
    }

    @Test
    void drainKeepsNewClientsAwayFromABackendThatChecksFindUp() {
        Pool checked = watchWithChecks();

        report(first, State.DRAIN, 10);
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(usable(checked)).containsExactly(second);

        report(first, State.UP, 10);
        assertThat(usable(checked)).containsExactly(first, second);
    }

    @Test
    void failedChecksDecideBeforeADrain() {
        Pool checked = watchWithChecks();
        report(first, State.DRAIN, 10);

        completeChecks(5, check -> check.fail("connection refused"));
        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(first.health().reason()).isEqualTo("connection refused");

        completeChecks(5, check -> check.succeed("connected"));
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(usable(checked)).containsExactly(second);
    }

    @Test
    void aDrainHidesTheStateFromNewSettingsOfThePool() {
        watchWithChecks();
        completeChecks(1, check -> check.succeed("connected"));
        report(first, State.DRAIN, 10);

        Pool changed = Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(2)), first, second);
        watch(changed);
        report(first, State.UP, 10);

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void overrideOfOperatorHidesReport() {
        report(first, State.DOWN, 10);
        monitor.applyOverride(first, MonitoredPools.drain("ann"));
        scheduler.runDue();
        report(first, State.UP, 10);
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);

        report(first, State.DOWN, 10);
        monitor.enable(first, "ann");
        scheduler.runDue();

        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(first.health().reason()).isEqualTo("enabled by ann, but: down by agent rack1: full disk");
    }

    @Test
    void reportedLoadReducesTheWeight() {
        report(first, State.UP, 1);

        assertThat(weights()).containsExactly(1, 10);

        report(first, State.UP, 10);
        assertThat(weights()).containsExactly(1, 1);
    }

    @Test
    void withoutReportTheBackendIsUpAgain() {
        report(first, State.DOWN, 1);

        monitor.applyReport(first, Optional.empty());
        scheduler.runDue();

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        assertThat(weights()).containsExactly(1, 1);
    }

    private void report(Backend backend, State state, int tenths) {
        monitor.applyReport(backend, Optional.of(new AgentReport("rack1", state, "full disk", tenths)));
        scheduler.runDue();
        scheduler.advance(Duration.ofMillis(1));
    }

    private Pool watchWithChecks() {
        Pool checked = Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(1)), first, second);
        watch(checked);
        return checked;
    }

    /** Advances the time {@code seconds} times by two seconds, and completes the checks that have started each time. */
    private void completeChecks(int seconds, Consumer<ManualProbe.Check> complete) {
        for (int i = 0; i < seconds; i++) {
            scheduler.advance(Duration.ofSeconds(2));
            while (!probe.open().isEmpty()) {
                complete.accept(probe.next());
            }
            scheduler.runDue();
        }
        scheduler.advance(GATHERING);
    }

    private static List<Backend> usable(Pool pool) {
        return pool.snapshot().usable().stream().map(Member::backend).toList();
    }

    private List<Integer> weights() {
        return pool.snapshot().usable().stream().map(Member::weight).toList();
    }
}
