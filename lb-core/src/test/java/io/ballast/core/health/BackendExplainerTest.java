package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.AgentReport;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.ExternalOverride.State;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.StateOverride.Kind;
import io.ballast.core.health.explain.BackendExplanation;
import io.ballast.core.health.explain.BackendExplanation.Authority;
import io.ballast.core.health.explain.BackendExplanation.Level;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.ManualProbe;
import io.ballast.core.testing.Pools;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class BackendExplainerTest extends OverridePool {

    private final ActiveExternalOverrides overrides =
            new ActiveExternalOverrides(control, monitor, () -> topology, all -> {}, (key, override) -> {});
    private final BackendExplainer explainer = new BackendExplainer(control, monitor, () -> topology);

    @Test
    void theHighestActiveLevelDecides() {
        assertThat(deciding()).isEqualTo(Authority.CHECKS);
        set("a", State.UP);
        set("b", State.DOWN);
        assertThat(deciding()).isEqualTo(Authority.OVERRIDE);

        orders.overrideState("web", address(first), operator(), /* confirmed= */ false);
        assertThat(deciding()).isEqualTo(Authority.OPERATOR);

        orders.startMaintenance("web", new OverrideTerms("ann", "move", now(), Optional.empty()));
        BackendExplanation explained = explain();

        assertThat(explained.levels())
                .containsExactly(
                        new Level(
                                Authority.POOL_MAINTENANCE,
                                Optional.of(BackendState.MAINTENANCE),
                                "by ann: move",
                                true),
                        new Level(Authority.ADDRESS, Optional.empty(), "/10.0.0.2:8080", false),
                        new Level(
                                Authority.OPERATOR, Optional.of(BackendState.DRAINING), "drain by ann: kernel", false),
                        new Level(
                                Authority.OVERRIDE,
                                Optional.of(BackendState.DOWN),
                                "down by b: lag, until 2026-01-01T00:10:00Z",
                                false),
                        new Level(
                                Authority.OVERRIDE,
                                Optional.of(BackendState.UP),
                                "up by a: lag, until 2026-01-01T00:10:00Z",
                                false),
                        new Level(Authority.EJECTION, Optional.empty(), "none", false),
                        new Level(Authority.CHECKS, Optional.of(BackendState.UP), "fixture", false));
        assertThat(explained.takesTraffic()).isFalse();
        assertThat(explained.state()).isEqualTo(BackendState.DRAINING);
    }

    @Test
    void hiddenChecksAreShown() {
        Pool checked = Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(1)), first, second);
        topology = Pools.topology(checked);
        watch(checked);
        set("a", State.UP);
        for (int i = 0; i < 10; i++) {
            scheduler.advance(Duration.ofSeconds(2));
            while (!probe.open().isEmpty()) {
                probe.next().fail("connection refused");
            }
            scheduler.runDue();
        }

        BackendExplanation explained = explain();

        assertThat(explained.state()).isEqualTo(BackendState.UP);
        assertThat(explained.takesTraffic()).isTrue();
        assertThat(explained.levels()).last().satisfies(level -> {
            assertThat(level.state()).contains(BackendState.DOWN);
            assertThat(level.text()).startsWith("connection refused; since then 0 checks ok (rise 2), ");
            assertThat(level.decides()).isFalse();
        });
        assertThat(explained.lastCheck().text()).isEqualTo("connection refused");
    }

    /**
     * Activates the levels from the lowest authority to the highest: each active level decides instead of the levels
     * below it.
     */
    @Test
    void eachLevelDecidesBeforeThoseBelowIt() {
        assertThat(deciding()).isEqualTo(Authority.CHECKS);
        report(AgentReport.State.STALE);
        assertThat(deciding()).isEqualTo(Authority.STALENESS);
        assertThat(explain().state()).isEqualTo(BackendState.DOWN);
        for (AgentReport.State state : List.of(AgentReport.State.UP, AgentReport.State.DOWN, AgentReport.State.DRAIN)) {
            report(state);
            assertThat(deciding()).as("%s without checks", state).isEqualTo(Authority.AGENT);
            assertThat(explain().takesTraffic()).isEqualTo(state == AgentReport.State.UP);
        }

        check(probed -> probed.succeed("connected"));
        for (AgentReport.State state : List.of(AgentReport.State.UP, AgentReport.State.DOWN, AgentReport.State.STALE)) {
            report(state);
            assertThat(deciding()).as("%s with checks", state).isEqualTo(Authority.CHECKS);
            assertThat(explain().state()).isEqualTo(BackendState.UP);
        }
        report(AgentReport.State.DRAIN);
        assertThat(deciding()).isEqualTo(Authority.AGENT);
        assertThat(explain().state()).isEqualTo(BackendState.DRAINING);
        check(probed -> probed.fail("connection refused"));
        assertThat(deciding()).isEqualTo(Authority.CHECKS);
        assertThat(explain().state()).isEqualTo(BackendState.DOWN);

        set("a", State.UP);
        assertThat(deciding()).isEqualTo(Authority.OVERRIDE);
        assertThat(explain().state()).isEqualTo(BackendState.UP);
        orders.overrideState("web", address(first), operator(), /* confirmed= */ true);
        scheduler.runDue();
        assertThat(deciding()).isEqualTo(Authority.OPERATOR);
        assertThat(explain().state()).isEqualTo(BackendState.DRAINING);
        assertThat(explain().levels())
                .extracting(Level::authority)
                .containsExactly(
                        Authority.POOL_MAINTENANCE,
                        Authority.ADDRESS,
                        Authority.OPERATOR,
                        Authority.OVERRIDE,
                        Authority.EJECTION,
                        Authority.CHECKS,
                        Authority.AGENT,
                        Authority.STALENESS);
    }

    private void report(AgentReport.State state) {
        monitor.applyReport(first, Optional.of(new AgentReport("rack1", state, "load", Backend.ALL_TENTHS)));
        scheduler.runDue();
    }

    /** Advances the time by ten seconds, and completes the checks of the backends that have started. */
    private void check(Consumer<ManualProbe.Check> complete) {
        if (topology.poolList().get(0).equals(pool)) {
            Pool checked = Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(1)), first, second);
            topology = Pools.topology(checked);
            watch(checked);
        }
        for (int i = 0; i < 5; i++) {
            scheduler.advance(Duration.ofSeconds(2));
            while (!probe.open().isEmpty()) {
                complete.accept(probe.next());
            }
            scheduler.runDue();
        }
        scheduler.advance(GATHERING);
    }

    @Test
    void theWeightHasItsCauses() {
        overrides.set(override("a", Optional.empty(), OptionalInt.of(4)), /* confirmed= */ false);

        BackendExplanation.Weight weight = explain().weight();

        assertThat(weight.file()).isEqualTo(1);
        assertThat(weight.used()).isEqualTo(4);
        assertThat(weight.override().map(ExternalOverride::source)).contains("a");
        assertThat(weight.operator()).isEmpty();
        assertThat(weight.slowStartTenths()).isEqualTo(Backend.ALL_TENTHS);
    }

    @Test
    void aBackendWithoutAnAddressIsNotUsed() {
        first.socketAddress(InetSocketAddress.createUnresolved("lost.internal", 80));
        pool.refresh();

        assertThat(deciding()).isEqualTo(Authority.ADDRESS);
        assertThat(explain().takesTraffic()).isFalse();
    }

    @Test
    void unknownBackendsHaveNoExplanation() {
        CompletableFuture<Optional<BackendExplanation>> noPool = explainer.explain("api", address(first));
        CompletableFuture<Optional<BackendExplanation>> noBackend = explainer.explain("web", "192.0.2.9:80");
        scheduler.runDue();

        assertThat(noPool).isCompletedWithValue(Optional.empty());
        assertThat(noBackend).isCompletedWithValue(Optional.empty());
    }

    private Authority deciding() {
        return explain().levels().stream()
                .filter(Level::decides)
                .findFirst()
                .orElseThrow()
                .authority();
    }

    private BackendExplanation explain() {
        CompletableFuture<Optional<BackendExplanation>> explained = explainer.explain("web", address(first));
        scheduler.runDue();
        return explained.join().orElseThrow();
    }

    private void set(String source, State state) {
        overrides.set(override(source, Optional.of(state), OptionalInt.empty()), /* confirmed= */ false);
        scheduler.runDue();
    }

    private ExternalOverride override(String source, Optional<State> state, OptionalInt weight) {
        return new ExternalOverride(
                "web", address(first), source, state, weight, "lag", now(), now(), now().plus(Duration.ofMinutes(10)));
    }

    private StateOverride operator() {
        return new StateOverride(Kind.DRAIN, "ann", "kernel", now(), Optional.empty());
    }

    private Instant now() {
        return control.clock().instant();
    }
}
